package io.sluice.analyzer.decide;

/** Epochs tell the lives of a task apart: each is higher than all before, also when state was lost or clocks went back. */
public final class Epoch {
    /** No epoch was found. */
    public static final long NONE = 0;

    private Epoch() {}

    /**
     * The epoch of a new life.
     *
     * @param highestStored the highest in the task's own state, or {@link #NONE}
     * @param highestSeen the highest that the task wrote to a topic, or {@link #NONE}
     * @param wallClock epoch milliseconds
     */
    public static long next(long highestStored, long highestSeen, long wallClock) {
        return Math.max(1 + Math.max(highestStored, highestSeen), wallClock);
    }
}
