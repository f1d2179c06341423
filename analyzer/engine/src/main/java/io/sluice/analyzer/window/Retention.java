package io.sluice.analyzer.window;

import io.sluice.contract.policy.Window;

/**
 * How long a stored block is kept. State expires by dropping whole segments, so windows of different lengths live in
 * different stores: a one-minute window does not pay for a one-day one.
 */
public enum Retention {
    /** For windows up to some minutes. */
    SHORT(10 * 60_000L),
    /** For windows up to an hour. */
    MEDIUM(150 * 60_000L),
    /** For windows up to a day. */
    LONG(55 * 3_600_000L);

    private final long millis;

    Retention(long millis) {
        this.millis = millis;
    }

    /** How long a block is kept at least, counted from its start, in milliseconds. */
    public long millis() {
        return millis;
    }

    /**
     * The shortest that is long enough.
     *
     * @param slackMillis how late an event may come and how far ahead of the broker's clock
     * @throws IllegalArgumentException for a window that none can hold
     */
    public static Retention of(Window window, long slackMillis) {
        return Shape.of(window, slackMillis).retention();
    }

    static Retention covering(long neededMillis) {
        for (Retention retention : values()) {
            if (neededMillis <= retention.millis) {
                return retention;
            }
        }
        throw new IllegalArgumentException(
                "a window that needs " + neededMillis + " ms of state: at most " + LONG.millis + " ms are kept");
    }
}
