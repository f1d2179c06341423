package io.sluice.analyzer.window;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hash table of entries by key, with eight to sixteen bytes for each and no object, where a map has an entry and a key object. Open
 * addressing with linear probing, at most half full. {@link KeyHash} is salted, so names that collide cannot be chosen. Confined to one
 * thread.
 */
final class HeldTable<V extends Held> {
    private static final int FEWEST = 1 << 4;

    private int[] hashes = new int[FEWEST];
    private @Nullable Held[] slots = new Held[FEWEST];
    private int size;

    @Nullable
    V find(byte[] storeKey, int hash) {
        int slot = slot(storeKey, hash);
        return slot < 0 ? null : at(slot);
    }

    /** Adds an entry whose key is not in the table. */
    void put(V held, int hash) {
        if (2 * (size + 1) > slots.length) {
            grow();
        }
        insert(held, hash);
        size++;
    }

    @Nullable
    V remove(byte[] storeKey, int hash) {
        int slot = slot(storeKey, hash);
        if (slot < 0) {
            return null;
        }
        V removed = at(slot);
        size--;
        close(slot);
        return removed;
    }

    int size() {
        return size;
    }

    void forEach(Consumer<V> to) {
        for (int slot = 0; slot < slots.length; slot++) {
            V held = at(slot);
            if (held != null) {
                to.accept(held);
            }
        }
    }

    private int slot(byte[] storeKey, int hash) {
        int mask = slots.length - 1;
        for (int slot = hash & mask; ; slot = (slot + 1) & mask) {
            Held held = slots[slot];
            if (held == null) {
                return -1;
            }
            if (hashes[slot] == hash && Arrays.equals(held.storeKey, storeKey)) {
                return slot;
            }
        }
    }

    private void insert(Held held, int hash) {
        int mask = slots.length - 1;
        int slot = hash & mask;
        while (slots[slot] != null) {
            slot = (slot + 1) & mask;
        }
        slots[slot] = held;
        hashes[slot] = hash;
    }

    /** Moves entries into a gap so that they can still be found. */
    private void close(int removed) {
        int mask = slots.length - 1;
        int gap = removed;
        for (int slot = (gap + 1) & mask; slots[slot] != null; slot = (slot + 1) & mask) {
            int home = hashes[slot] & mask;
            if (((slot - home) & mask) >= ((slot - gap) & mask)) {
                slots[gap] = slots[slot];
                hashes[gap] = hashes[slot];
                gap = slot;
            }
        }
        slots[gap] = null;
    }

    private void grow() {
        Held[] from = slots;
        int[] fromHashes = hashes;
        slots = new Held[2 * from.length];
        hashes = new int[2 * from.length];
        for (int slot = 0; slot < from.length; slot++) {
            Held held = from[slot];
            if (held != null) {
                insert(held, fromHashes[slot]);
            }
        }
    }

    // nothing else is ever put in
    @SuppressWarnings("unchecked")
    private @Nullable V at(int slot) {
        return (V) slots[slot];
    }
}
