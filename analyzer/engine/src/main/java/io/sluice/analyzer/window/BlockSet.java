package io.sluice.analyzer.window;

import java.util.function.LongConsumer;

/**
 * An exact set of up to {@value #MOST} hashes of 64 bits, none of them 0: open addressing with linear probing, at most half full. It grows with what is in it, from
 * half a kibibyte to a mebibyte. Confined to one thread.
 */
final class BlockSet {
    static final int MOST = 1 << 16;
    private static final int FEWEST_SLOTS = 1 << 6;

    // 0 is a free slot
    private long[] slots = new long[FEWEST_SLOTS];
    private int size;

    boolean contains(long hash) {
        return slots[slot(slots, hash)] != 0;
    }

    /** Adds a hash; returns false when the set is full. */
    boolean add(long hash) {
        int slot = slot(slots, hash);
        if (slots[slot] == hash) {
            return true;
        }
        if (size == MOST) {
            return false;
        }
        slots[slot] = hash;
        size++;
        if (2 * size > slots.length) {
            grow();
        }
        return true;
    }

    private void grow() {
        long[] more = new long[2 * slots.length];
        for (long hash : slots) {
            if (hash != 0) {
                more[slot(more, hash)] = hash;
            }
        }
        slots = more;
    }

    /** Passes on every hash that is in it. */
    void forEach(LongConsumer to) {
        for (long hash : slots) {
            if (hash != 0) {
                to.accept(hash);
            }
        }
    }

    private static int slot(long[] in, long hash) {
        int mask = in.length - 1;
        int slot = (int) (hash >>> Integer.SIZE) & mask;
        while (in[slot] != 0 && in[slot] != hash) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
