package io.sluice.analyzer.decide;

import org.jspecify.annotations.Nullable;

/**
 * The broker's time: the newest append time heard of, plus the monotonic time since. No wall clock is trusted. Thread-safe.
 */
public final class BrokerClock {
    /** Nothing was heard of the broker yet. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    private static final long NANOS_A_MILLI = 1_000_000;

    private record Heard(long append, long nanoTime) {}

    private volatile @Nullable Heard newest;

    /**
     * Notes a record's append time.
     *
     * @param append epoch milliseconds, by the broker
     * @param nanoTime {@link System#nanoTime} when it arrived
     */
    public synchronized void heard(long append, long nanoTime) {
        Heard known = newest;
        if (known == null || append >= known.append) {
            newest = new Heard(append, nanoTime);
        }
    }

    /** The broker's time in epoch milliseconds, or {@link #UNKNOWN}. */
    public long now(long nanoTime) {
        Heard known = newest;
        return known == null
                ? UNKNOWN
                : known.append + Math.max(0, Math.floorDiv(nanoTime - known.nanoTime, NANOS_A_MILLI));
    }
}
