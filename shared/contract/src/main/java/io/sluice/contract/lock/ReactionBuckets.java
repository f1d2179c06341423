package io.sluice.contract.lock;

import java.time.Duration;

/**
 * The histogram buckets of the reaction time: the same on both sides, so that the analyzer's part and the agents' can be
 * laid over each other. Immutable.
 */
public final class ReactionBuckets {
    private static final Duration[] UPPER_BOUNDS = {
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30)
    };

    private ReactionBuckets() {}

    /** The upper bounds, ascending, from 10 ms to 30 s; a new array each time. */
    public static Duration[] upperBounds() {
        return UPPER_BOUNDS.clone();
    }
}
