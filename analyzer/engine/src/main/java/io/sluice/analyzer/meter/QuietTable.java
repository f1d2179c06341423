package io.sluice.analyzer.meter;

import java.util.Arrays;

/**
 * An open-addressed table (linear probing) from a 64-bit hash to an entry, each with a list of cells, one for each pane that something was
 * added to, or one for each value that is counted. Everything is in arrays, so a million entries cost the garbage collector nothing. Entries are never removed: see {@link
 * QuietSubjects}. Not thread-safe.
 */
final class QuietTable {
    /** There is no such entry, or no cell. */
    static final int NONE = PaneCells.NONE;

    /** Numbers of an entry. */
    private static final int HASH = 0;

    private static final int NEWEST = 1;
    private static final int SUM = 2;
    private static final int LOUD_UNTIL = 3;
    private static final int ENTRY = 4;

    private static final int SLOT_BYTES = ENTRY * Long.BYTES + Integer.BYTES;
    private static final int LEAST = 64;

    private long[] entries;
    private int[] heads;
    private final PaneCells cells = new PaneCells(LEAST);
    private int size;

    QuietTable() {
        entries = new long[LEAST * ENTRY];
        heads = new int[LEAST];
        Arrays.fill(heads, NONE);
    }

    /** Number of entries. */
    int size() {
        return size;
    }

    /** Bytes of heap that it takes. */
    long bytes() {
        return (long) heads.length * SLOT_BYTES + (long) cells.capacity() * PaneCells.BYTES;
    }

    /** Bytes of heap that one more entry with a cell would add to {@link #bytes}; mostly 0. */
    long growth() {
        long growth = 0;
        if (full()) {
            growth += (long) heads.length * SLOT_BYTES;
        }
        if (cells.full()) {
            growth += (long) cells.capacity() * PaneCells.BYTES;
        }
        return growth;
    }

    private boolean full() {
        return (size + 1) * 3L > heads.length * 2L;
    }

    /** Returns the entry of a hash, or {@link #NONE}. It is valid until the next {@link #add}. */
    int find(long hash) {
        int mask = heads.length - 1;
        long key = hash == 0 ? 1 : hash;
        for (int at = (int) key & mask; ; at = (at + 1) & mask) {
            long there = entries[at * ENTRY + HASH];
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
        int at = free(entries, heads.length - 1, hash == 0 ? 1 : hash);
        entries[at * ENTRY + HASH] = hash == 0 ? 1 : hash;
        entries[at * ENTRY + NEWEST] = newestPane;
        entries[at * ENTRY + LOUD_UNTIL] = Long.MIN_VALUE;
        return at;
    }

    private static int free(long[] in, int mask, long key) {
        int at = (int) key & mask;
        while (in[at * ENTRY + HASH] != 0) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private void grow() {
        long[] more = new long[entries.length * 2];
        int[] moreHeads = new int[heads.length * 2];
        Arrays.fill(moreHeads, NONE);
        for (int from = 0; from < heads.length; from++) {
            long key = entries[from * ENTRY + HASH];
            if (key != 0) {
                int at = free(more, moreHeads.length - 1, key);
                System.arraycopy(entries, from * ENTRY, more, at * ENTRY, ENTRY);
                moreHeads[at] = heads[from];
            }
        }
        entries = more;
        heads = moreHeads;
    }

    /** Newest pane that something was added to. */
    long newest(int entry) {
        return entries[entry * ENTRY + NEWEST];
    }

    void newest(int entry, long pane) {
        entries[entry * ENTRY + NEWEST] = pane;
    }

    /** Sum that the owner keeps with the entry. */
    long sum(int entry) {
        return entries[entry * ENTRY + SUM];
    }

    void sum(int entry, long sum) {
        entries[entry * ENTRY + SUM] = sum;
    }

    /** Last pane up to which the entry is loud, {@link Long#MIN_VALUE} when it is quiet. */
    long loudUntil(int entry) {
        return entries[entry * ENTRY + LOUD_UNTIL];
    }

    void loudUntil(int entry, long pane) {
        entries[entry * ENTRY + LOUD_UNTIL] = pane;
    }

    /** The entry's first cell, or {@link #NONE}. Cells are in no order. */
    int firstCell(int entry) {
        return heads[entry];
    }

    PaneCells cells() {
        return cells;
    }

    /** Adds to the entry's cell of a pane, which is created when it is not there. */
    void put(int entry, long pane, int time, long count, long amount) {
        int cell = heads[entry];
        while (cell != NONE && cells.pane(cell) != pane) {
            cell = cells.next(cell);
        }
        if (cell == NONE) {
            heads[entry] = cells.create(heads[entry], pane, time, time, count, amount);
        } else {
            cells.add(cell, time, time, count, cells.amount(cell) + amount);
        }
    }

    /**
     * Adds to the entry's cell of a value, which is created when it is not there. A cell is of the newest pane in which the value occurred:
     * what is known of an earlier one is replaced, and one of an earlier pane is ignored.
     */
    void putValue(int entry, long pane, int time, long count, long value) {
        int cell = heads[entry];
        while (cell != NONE && cells.amount(cell) != value) {
            cell = cells.next(cell);
        }
        if (cell == NONE) {
            heads[entry] = cells.create(heads[entry], pane, time, time, count, value);
        } else if (cells.pane(cell) == pane) {
            cells.add(cell, time, time, count, value);
        } else if (cells.pane(cell) < pane) {
            cells.set(cell, pane, time, time, count, value);
        }
    }

    /** Copies a cell of another table to an entry that has none of its pane or value. */
    void copy(int entry, PaneCells from, int cell) {
        heads[entry] = cells.create(
                heads[entry],
                from.pane(cell),
                from.firstTime(cell),
                from.newestTime(cell),
                from.count(cell),
                from.amount(cell));
    }

    /** Returns the number of the entry's cells in the panes from {@code first} to {@code last}, except that of a value. */
    int others(int entry, long value, long first, long last) {
        int others = 0;
        for (int cell = heads[entry]; cell != NONE; cell = cells.next(cell)) {
            others += cells.amount(cell) != value && cells.pane(cell) >= first && cells.pane(cell) <= last ? 1 : 0;
        }
        return others;
    }

    /**
     * Removes the entry's cells of panes before {@code from}.
     *
     * @param counts whether counts are added up instead of amounts
     * @return the sum of the others in the panes from {@code first} to {@code last}
     */
    long trim(int entry, long from, long first, long last, boolean counts) {
        long sum = 0;
        int before = NONE;
        for (int cell = heads[entry]; cell != NONE; ) {
            long pane = cells.pane(cell);
            if (pane < from) {
                cell = cells.remove(before, cell);
                heads[entry] = before == NONE ? cell : heads[entry];
                continue;
            }
            if (pane >= first && pane <= last) {
                sum += counts ? cells.count(cell) : cells.amount(cell);
            }
            before = cell;
            cell = cells.next(cell);
        }
        return sum;
    }
}
