package io.sluice.analyzer.meter;

import java.util.Arrays;

/**
 * Cells of the entries of a {@link QuietTable}: each holds the sums of a pane, or the newest occurrence of a value, and the policies that have
 * it already. The cells of an entry are a linked list in no order. They lie in two arrays, and those that are removed are used again. Not
 * thread-safe.
 */
final class PaneCells {
    /** There is no further cell. */
    static final int NONE = -1;

    /** Bits of a pane's number; the set of policies is above them. */
    static final int PANE_BITS = 48;

    static final long PANE = (1L << PANE_BITS) - 1;

    /** Numbers of a cell. */
    private static final int SENT_PANE = 0;

    private static final int TIMES = 1;
    private static final int COUNT = 2;
    private static final int AMOUNTS = 3;

    private final int width;
    private final int size;
    private long[] cells;
    private int[] next;
    private int free = NONE;
    private int used;

    /** @param amounts how many sums a cell has */
    PaneCells(int capacity, int amounts) {
        width = amounts;
        size = AMOUNTS + amounts;
        cells = new long[capacity * size];
        next = new int[capacity];
    }

    /** Bytes of heap that it takes. */
    long bytes() {
        return (long) next.length * (size * Long.BYTES + Integer.BYTES);
    }

    /** Bytes of heap that one more cell would add; mostly 0. */
    long growth() {
        return free == NONE && used == next.length ? bytes() : 0;
    }

    int next(int cell) {
        return next[cell];
    }

    long pane(int cell) {
        return cells[cell * size + SENT_PANE] & PANE;
    }

    /** The policies that have the cell's events already. */
    long sent(int cell) {
        return cells[cell * size + SENT_PANE] >>> PANE_BITS;
    }

    void sent(int cell, long policies) {
        cells[cell * size + SENT_PANE] = policies << PANE_BITS | pane(cell);
    }

    /** Returns whether a cell is of this pane and of these policies. */
    boolean is(int cell, long pane, long sent) {
        return cells[cell * size + SENT_PANE] == (sent << PANE_BITS | pane);
    }

    long count(int cell) {
        return cells[cell * size + COUNT];
    }

    /** One of the sums; the first may be the value. */
    long amount(int cell, int index) {
        return cells[cell * size + AMOUNTS + index];
    }

    /** Time of the first event in the cell, milliseconds after the begin of its pane. */
    int firstTime(int cell) {
        return (int) (cells[cell * size + TIMES] >>> Integer.SIZE);
    }

    /** Time of the newest event in the cell, milliseconds after the begin of its pane. */
    int newestTime(int cell) {
        return (int) cells[cell * size + TIMES];
    }

    /** Creates a cell of one event before the first of a list, and returns it. */
    int create(int first, long pane, long sent, int time, long count, long[] amounts) {
        int cell = take();
        next[cell] = first;
        set(cell, pane, sent, time, count, amounts);
        return cell;
    }

    /** Makes it a cell of one event. */
    void set(int cell, long pane, long sent, int time, long count, long[] amounts) {
        int at = cell * size;
        cells[at + SENT_PANE] = sent << PANE_BITS | pane;
        times(cell, time, time);
        cells[at + COUNT] = count;
        System.arraycopy(amounts, 0, cells, at + AMOUNTS, width);
    }

    /** Creates a copy of a cell of another table before the first of a list, and returns it. */
    int copy(int first, PaneCells from, int cell) {
        int copy = take();
        next[copy] = first;
        System.arraycopy(from.cells, cell * size, cells, copy * size, size);
        return copy;
    }

    private int take() {
        if (free != NONE) {
            int cell = free;
            free = next[cell];
            return cell;
        }
        if (used == next.length) {
            cells = Arrays.copyOf(cells, cells.length * 2);
            next = Arrays.copyOf(next, next.length * 2);
        }
        return used++;
    }

    private void times(int cell, int first, int newest) {
        cells[cell * size + TIMES] = (long) first << Integer.SIZE | newest;
    }

    /** Adds an event of the cell's pane, without its amounts. */
    void add(int cell, int time, long count) {
        times(cell, Math.min(time, firstTime(cell)), Math.max(time, newestTime(cell)));
        cells[cell * size + COUNT] += count;
    }

    /** Adds to the sums. */
    void addAmounts(int cell, long[] amounts) {
        int at = cell * size + AMOUNTS;
        for (int i = 0; i < width; i++) {
            cells[at + i] += amounts[i];
        }
    }

    /** Removes the cell after another one, or the first; returns the one that follows it. */
    int remove(int before, int cell) {
        int following = next[cell];
        if (before != NONE) {
            next[before] = following;
        }
        next[cell] = free;
        free = cell;
        return following;
    }

    /**
     * Replaces the sets of policies of all cells. A policy that was not there before gets none of them: it may have been there earlier, and must
     * not get anything twice.
     */
    void remap(PolicyBits bits) {
        for (int cell = 0; cell < used; cell++) {
            sent(cell, bits.of(sent(cell)) | bits.added());
        }
    }
}
