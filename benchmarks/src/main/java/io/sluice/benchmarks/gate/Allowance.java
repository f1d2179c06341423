package io.sluice.benchmarks.gate;

import java.time.Duration;

/**
 * What every contender is told to allow a caller.
 *
 * @param permits so many {@code per}
 * @param burst most at once, where a contender knows bursts
 */
record Allowance(long permits, Duration per, long burst) {
    /** More than the heaviest of the callers asks for. */
    static final Allowance PLENTY = new Allowance(10_000_000, Duration.ofSeconds(1), 1000);

    /** More than one hot caller can ask for: a permit a nanosecond. */
    static final Allowance EVERYTHING = new Allowance(1_000_000_000, Duration.ofSeconds(1), 1000);

    /** One, and then no more during a measurement. */
    static final Allowance NOTHING = new Allowance(1, Duration.ofHours(1), 1);
}
