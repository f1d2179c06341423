package io.sluice.analyzer.meter;

/**
 * Finds the number of an entry by the entry's 64-bit hash: open addressing with linear probing, half a hash beside each number. Entries are
 * numbered from 0 and are never removed. Not thread-safe.
 */
final class HashIndex {
    /** There is no such entry. */
    static final int NONE = -1;

    private static final int LEAST = 16;
    private static final long TAG = 0xffff_ffff_0000_0000L;

    private final Records entries;
    private final int field;
    /** The upper half of the hash, and the number of the entry plus one; 0 where there is none. */
    private long[] slots = new long[LEAST];

    /**
     * @param entries their number is that of their record
     * @param field of an entry that contains its hash
     */
    HashIndex(Records entries, int field) {
        this.entries = entries;
        this.field = field;
    }

    /** Bytes of heap that it takes. */
    long bytes() {
        return (long) slots.length * Long.BYTES;
    }

    /** Bytes of heap that one more entry would add; mostly 0. */
    long growth() {
        return full(entries.size() + 1) ? bytes() : 0;
    }

    private boolean full(int size) {
        return size * 3L > slots.length * 2L;
    }

    /** Returns the entry of a hash, or {@link #NONE}. */
    int find(long hash) {
        int mask = slots.length - 1;
        for (int at = (int) hash & mask; ; at = (at + 1) & mask) {
            long there = slots[at];
            if (there == 0) {
                return NONE;
            }
            int entry = (int) there - 1;
            if (((there ^ hash) & TAG) == 0 && entries.get(entry, field) == hash) {
                return entry;
            }
        }
    }

    /** Adds the last entry, whose hash is not there yet. */
    void add(int entry) {
        if (full(entry + 1)) {
            slots = new long[slots.length * 2];
            for (int earlier = 0; earlier < entry; earlier++) {
                insert(earlier);
            }
        }
        insert(entry);
    }

    private void insert(int entry) {
        long hash = entries.get(entry, field);
        int mask = slots.length - 1;
        int at = (int) hash & mask;
        while (slots[at] != 0) {
            at = (at + 1) & mask;
        }
        slots[at] = (hash & TAG) | (entry + 1);
    }
}
