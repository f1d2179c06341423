package io.sluice.analyzer.meter;

import java.util.Arrays;

/**
 * An open-addressed table (linear probing) from a 64-bit hash to an entry, each with its sums, the policies for which it is loud, and a list of
 * cells, one for each pane that something was added to, or one for each value that is counted. Everything is in arrays, so a million entries
 * cost the garbage collector nothing. Entries are never removed: see {@link QuietSubjects}. Not thread-safe.
 */
final class QuietTable {
    /** There is no such entry, or no cell. */
    static final int NONE = PaneCells.NONE;

    /** Numbers of an entry. */
    private static final int HASH = 0;

    private static final int NEWEST = 1;
    private static final int LOUD_UNTIL = 2;
    private static final int SUMS = 3;

    private static final int LEAST = 64;

    private final int width;
    private final int entrySize;
    private final PaneCells cells;
    private long[] entries;
    private int[] heads;
    private int size;

    /** @param amounts how many sums there are */
    QuietTable(int amounts) {
        width = amounts;
        entrySize = SUMS + amounts;
        entries = new long[LEAST * entrySize];
        heads = new int[LEAST];
        Arrays.fill(heads, NONE);
        cells = new PaneCells(LEAST, amounts);
    }

    /** Number of entries. */
    int size() {
        return size;
    }

    private long slotBytes() {
        return (long) heads.length * (entrySize * Long.BYTES + Integer.BYTES);
    }

    /** Bytes of heap that it takes. */
    long bytes() {
        return slotBytes() + cells.bytes();
    }

    /** Bytes of heap that one more entry with a cell would add to {@link #bytes}; mostly 0. */
    long growth() {
        return (full() ? slotBytes() : 0) + cells.growth();
    }

    private boolean full() {
        return (size + 1) * 3L > heads.length * 2L;
    }

    /** Returns the entry of a hash, or {@link #NONE}. It is valid until the next {@link #add}. */
    int find(long hash) {
        int mask = heads.length - 1;
        long key = hash == 0 ? 1 : hash;
        for (int at = (int) key & mask; ; at = (at + 1) & mask) {
            long there = entries[at * entrySize + HASH];
            if (there == key) {
                return at;
            }
            if (there == 0) {
                return NONE;
            }
        }
    }

    /** Adds the entry of a hash that is not there. */
    int add(long hash, long newestPane) {
        if (full()) {
            grow();
        }
        size++;
        long key = hash == 0 ? 1 : hash;
        int at = free(entries, heads.length - 1, key);
        entries[at * entrySize + HASH] = key;
        entries[at * entrySize + NEWEST] = newestPane;
        return at;
    }

    private int free(long[] in, int mask, long key) {
        int at = (int) key & mask;
        while (in[at * entrySize + HASH] != 0) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private void grow() {
        long[] more = new long[entries.length * 2];
        int[] moreHeads = new int[heads.length * 2];
        Arrays.fill(moreHeads, NONE);
        for (int from = 0; from < heads.length; from++) {
            long key = entries[from * entrySize + HASH];
            if (key != 0) {
                int at = free(more, moreHeads.length - 1, key);
                System.arraycopy(entries, from * entrySize, more, at * entrySize, entrySize);
                moreHeads[at] = heads[from];
            }
        }
        entries = more;
        heads = moreHeads;
    }

    /** Newest pane that something was added to. */
    long newest(int entry) {
        return entries[entry * entrySize + NEWEST];
    }

    void newest(int entry, long pane) {
        entries[entry * entrySize + NEWEST] = pane;
    }

    /** The policies for which the entry is loud. */
    long loud(int entry) {
        return entries[entry * entrySize + LOUD_UNTIL] >>> PaneCells.PANE_BITS;
    }

    /** Last pane up to which the entry is loud, if it is. */
    long loudUntil(int entry) {
        return entries[entry * entrySize + LOUD_UNTIL] & PaneCells.PANE;
    }

    void loud(int entry, long policies, long until) {
        entries[entry * entrySize + LOUD_UNTIL] = policies << PaneCells.PANE_BITS | until;
    }

    /** Copies the sums that the owner keeps with the entry. */
    void sums(int entry, long[] to) {
        System.arraycopy(entries, entry * entrySize + SUMS, to, 0, width);
    }

    void setSums(int entry, long[] sums) {
        System.arraycopy(sums, 0, entries, entry * entrySize + SUMS, width);
    }

    void clearSums(int entry) {
        int from = entry * entrySize + SUMS;
        Arrays.fill(entries, from, from + width, 0);
    }

    /** The entry's first cell, or {@link #NONE}. Cells are in no order. */
    int firstCell(int entry) {
        return heads[entry];
    }

    PaneCells cells() {
        return cells;
    }

    /**
     * Adds an event to the entry's cell of a pane, which is created when it is not there.
     *
     * @param sent the policies that have the event already
     */
    void put(int entry, long pane, long sent, int time, long count, long[] amounts) {
        int cell = heads[entry];
        while (cell != NONE && !cells.is(cell, pane, sent)) {
            cell = cells.next(cell);
        }
        if (cell == NONE) {
            heads[entry] = cells.create(heads[entry], pane, sent, time, count, amounts);
        } else {
            cells.add(cell, time, count);
            cells.addAmounts(cell, amounts);
        }
    }

    /**
     * Adds an event to the entry's cell of a value, which is created when it is not there. A cell is of the newest pane in which the value
     * occurred: what is known of an earlier one is replaced, and one of an earlier pane is ignored.
     *
     * @param sent the policies that have the event already
     * @param value in an array of one
     */
    void putValue(int entry, long pane, long sent, int time, long count, long[] value) {
        int cell = heads[entry];
        while (cell != NONE && (cells.amount(cell, 0) != value[0] || cells.sent(cell) != sent)) {
            cell = cells.next(cell);
        }
        if (cell == NONE) {
            heads[entry] = cells.create(heads[entry], pane, sent, time, count, value);
        } else if (cells.pane(cell) == pane) {
            cells.add(cell, time, count);
        } else if (cells.pane(cell) < pane) {
            cells.set(cell, pane, sent, time, count, value);
        }
    }

    /** Copies a cell of another table to an entry that has none of its pane or value. */
    void copy(int entry, PaneCells from, int cell) {
        heads[entry] = cells.copy(heads[entry], from, cell);
    }

    /** Returns the number of the entry's cells in the panes from {@code first} to {@code last}, except those of a value. */
    int others(int entry, long value, long first, long last) {
        int others = 0;
        for (int cell = heads[entry]; cell != NONE; cell = cells.next(cell)) {
            others += cells.amount(cell, 0) != value && cells.pane(cell) >= first && cells.pane(cell) <= last ? 1 : 0;
        }
        return others;
    }

    /** Removes the entry's cells of panes before {@code from}. */
    void trim(int entry, long from) {
        int before = NONE;
        for (int cell = heads[entry]; cell != NONE; ) {
            if (cells.pane(cell) < from) {
                cell = cells.remove(before, cell);
                heads[entry] = before == NONE ? cell : heads[entry];
            } else {
                before = cell;
                cell = cells.next(cell);
            }
        }
    }

    /** Marks the entry's cells as known to more policies. */
    void send(int entry, long policies) {
        for (int cell = heads[entry]; cell != NONE; cell = cells.next(cell)) {
            cells.sent(cell, cells.sent(cell) | policies);
        }
    }

    /**
     * Adds up the entry's cells in the panes from {@code first} to {@code last}.
     *
     * @param counts whether counts are added up instead of the first amount
     */
    void sum(int entry, long first, long last, boolean counts, long[] to) {
        Arrays.fill(to, 0);
        for (int cell = heads[entry]; cell != NONE; cell = cells.next(cell)) {
            long pane = cells.pane(cell);
            if (pane >= first && pane <= last) {
                for (int i = 0; i < width; i++) {
                    to[i] += counts ? cells.count(cell) : cells.amount(cell, i);
                }
            }
        }
    }

    /** Replaces the sets of policies of all entries, and of their cells; {@code all} is what used to be the set of all policies. */
    void remap(PolicyBits bits, long all) {
        for (int entry = 0; entry < heads.length; entry++) {
            long loud = loud(entry);
            if (loud != 0) {
                if (loud == all) {
                    // the sums were not those of cells
                    clearSums(entry);
                }
                loud(entry, bits.of(loud), loudUntil(entry));
            }
        }
        cells.remap(bits);
    }
}
