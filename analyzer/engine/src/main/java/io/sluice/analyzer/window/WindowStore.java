package io.sluice.analyzer.window;

import org.jspecify.annotations.Nullable;

/** Where blocks of panes outlive the heap. Used by one thread. */
public interface WindowStore {

    /**
     * A block, or {@code null} when there is none or its retention has passed.
     *
     * @param blockStart event time at which the block begins, epoch milliseconds
     */
    byte @Nullable [] read(Retention retention, byte[] key, long blockStart);

    /** Stores a block in place of the one before. */
    void write(Retention retention, byte[] key, long blockStart, byte[] block);

    /** Something in it is of a format that is not, or no longer, known. It counts as missing; a store may count it. */
    default void unreadable() {}
}
