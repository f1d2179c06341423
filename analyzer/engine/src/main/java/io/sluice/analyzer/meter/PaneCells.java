package io.sluice.analyzer.meter;

import java.util.Arrays;

/**
 * Cells of the entries of a {@link QuietTable}: each is the sum of a pane, or the newest occurrence of a value. The cells of an entry are a
 * linked list in no order. They lie in two arrays, and those that are removed are used again. Not thread-safe.
 */
final class PaneCells {
    /** There is no further cell. */
    static final int NONE = -1;

    /** Bytes of heap of a cell. */
    static final int BYTES = 4 * Long.BYTES + Integer.BYTES;

    /** Numbers of a cell. */
    private static final int PANE = 0;

    private static final int TIMES = 1;
    private static final int COUNT = 2;
    private static final int AMOUNT = 3;
    private static final int CELL = 4;

    private long[] cells;
    private int[] next;
    private int free = NONE;
    private int used;

    PaneCells(int capacity) {
        cells = new long[capacity * CELL];
        next = new int[capacity];
    }

    /** Number of cells that there is room for. */
    int capacity() {
        return next.length;
    }

    /** Returns whether one more cell would double the capacity. */
    boolean full() {
        return free == NONE && used == next.length;
    }

    int next(int cell) {
        return next[cell];
    }

    long pane(int cell) {
        return cells[cell * CELL + PANE];
    }

    long count(int cell) {
        return cells[cell * CELL + COUNT];
    }

    /** The amount, or the value. */
    long amount(int cell) {
        return cells[cell * CELL + AMOUNT];
    }

    /** Time of the first event in the cell, milliseconds after the begin of its pane. */
    int firstTime(int cell) {
        return (int) (cells[cell * CELL + TIMES] >>> Integer.SIZE);
    }

    /** Time of the newest event in the cell, milliseconds after the begin of its pane. */
    int newestTime(int cell) {
        return (int) cells[cell * CELL + TIMES];
    }

    /** Creates a cell before the first of a list, and returns it. */
    int create(int first, long pane, int firstTime, int newestTime, long count, long amount) {
        int cell = take();
        next[cell] = first;
        set(cell, pane, firstTime, newestTime, count, amount);
        return cell;
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

    void set(int cell, long pane, int firstTime, int newestTime, long count, long amount) {
        cells[cell * CELL + PANE] = pane;
        cells[cell * CELL + TIMES] = (long) firstTime << Integer.SIZE | newestTime;
        cells[cell * CELL + COUNT] = count;
        cells[cell * CELL + AMOUNT] = amount;
    }

    /** Adds events of the cell's pane. */
    void add(int cell, int firstTime, int newestTime, long count, long amount) {
        set(
                cell,
                pane(cell),
                Math.min(firstTime, firstTime(cell)),
                Math.max(newestTime, newestTime(cell)),
                count(cell) + count,
                amount);
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
}
