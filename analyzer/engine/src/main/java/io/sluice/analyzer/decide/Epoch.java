package io.sluice.analyzer.decide;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Epochs order the incarnations of a task: each is higher than all before, also when state was lost or clocks went back. */
public final class Epoch {
    /** No epoch was found. */
    public static final long NONE = 0;

    private Epoch() {}

    /** Returns whether stored bytes can be an epoch. */
    public static boolean readable(byte[] stored) {
        return stored.length == Long.BYTES;
    }

    /** Returns a stored epoch; {@link #NONE} where there is none, or none that can be read. */
    public static long read(byte @Nullable [] stored) {
        return stored == null || !readable(stored)
                ? NONE
                : ByteBuffer.wrap(stored).getLong();
    }

    /**
     * The epoch of a new life.
     *
     * @param highestStored the highest in the task's own state, or {@link #NONE}
     * @param highestSeen the highest that the task wrote to a topic, or {@link #NONE}
     * @param wallClock epoch milliseconds
     */
    public static long next(long highestStored, long highestSeen, long wallClock) {
        long before = Math.max(highestStored, highestSeen);
        // one that can't be passed can still be equalled
        return Math.max(before == Long.MAX_VALUE ? before : before + 1, wallClock);
    }
}
