package io.sluice.analyzer.meter;

import java.util.Arrays;

/**
 * Cells of the entries of a {@link QuietTable}: each holds the sums of a pane, or the newest occurrence of a value, and the policies that have
 * it already. The cells of an entry are a linked list. Those that are removed are used again. Not thread-safe.
 */
final class PaneCells {
    /** There is no further cell. */
    static final int NONE = -1;

    /** Bits of a time within a pane, in milliseconds: the longest pane has a quarter of a day. */
    private static final int TIME_BITS = 25;

    private static final int TIME = (1 << TIME_BITS) - 1;

    /** Bits of a set of policies. */
    static final int POLICY_BITS = Long.SIZE - 2 * TIME_BITS;

    private static final long POLICIES = (1L << POLICY_BITS) - 1;

    /** Fields of a cell: the number of its pane, from a first one, beside the next cell. */
    private static final int PANE_NEXT = 0;
    /** Times of the first and the newest event, beside the policies that have it. */
    private static final int TIMES_SENT = 1;

    private static final int AMOUNTS = 2;

    private final int width;
    private final int size;
    /** The field with the number of events. */
    private final int count;

    private final Records cells;
    private final long base;
    private int free = NONE;

    /**
     * @param base a pane from which those of the cells are not far away
     * @param amounts how many sums a cell has
     * @param counting which of them is the number of requests; {@link #NONE}, when that is none of them
     */
    PaneCells(long base, int amounts, int counting) {
        this.base = base;
        width = amounts;
        count = AMOUNTS + (counting == NONE ? amounts : counting);
        size = AMOUNTS + amounts + (counting == NONE ? 1 : 0);
        cells = new Records(size);
    }

    /** Bytes of heap that they take. */
    long bytes() {
        return cells.bytes();
    }

    /** Bytes of heap that one more cell would add; mostly 0. */
    long growth() {
        return free == NONE ? cells.growth() : 0;
    }

    int next(int cell) {
        return (int) cells.get(cell, PANE_NEXT);
    }

    void next(int cell, int next) {
        paneNext(cell, pane(cell), next);
    }

    long pane(int cell) {
        return base + (cells.get(cell, PANE_NEXT) >> Integer.SIZE);
    }

    private void paneNext(int cell, long pane, int next) {
        cells.set(cell, PANE_NEXT, ((pane - base) << Integer.SIZE) | Integer.toUnsignedLong(next));
    }

    /** The policies that have the cell's events already. */
    long sent(int cell) {
        return cells.get(cell, TIMES_SENT) & POLICIES;
    }

    void sent(int cell, long policies) {
        cells.set(cell, TIMES_SENT, (cells.get(cell, TIMES_SENT) & ~POLICIES) | policies);
    }

    /** Returns whether a cell is of this pane and of these policies. */
    boolean is(int cell, long pane, long sent) {
        return pane(cell) == pane && sent(cell) == sent;
    }

    /**
     * Returns the cells of a list, the oldest panes first: what is released in this order is counted as if it had never been held back.
     *
     * @param first of the list
     */
    int[] inOrder(int first) {
        int length = 0;
        for (int cell = first; cell != NONE; cell = next(cell)) {
            length++;
        }
        long[] panes = new long[length];
        int i = 0;
        for (int cell = first; cell != NONE; cell = next(cell)) {
            panes[i++] = ((pane(cell) - base) << Integer.SIZE) | cell;
        }
        Arrays.sort(panes);
        return Arrays.stream(panes).mapToInt(pane -> (int) pane).toArray();
    }

    long count(int cell) {
        return cells.get(cell, count);
    }

    /** One of the sums; the first may be the value. */
    long amount(int cell, int index) {
        return cells.get(cell, AMOUNTS + index);
    }

    /** Time of the first event in the cell, milliseconds after the begin of its pane. */
    int firstTime(int cell) {
        return (int) (cells.get(cell, TIMES_SENT) >>> (POLICY_BITS + TIME_BITS));
    }

    /** Time of the newest event in the cell, milliseconds after the begin of its pane. */
    int newestTime(int cell) {
        return (int) (cells.get(cell, TIMES_SENT) >>> POLICY_BITS) & TIME;
    }

    private void times(int cell, int first, int newest, long sent) {
        cells.set(cell, TIMES_SENT, ((((long) first << TIME_BITS) | newest) << POLICY_BITS) | sent);
    }

    /** Creates a cell of one event before the first of a list, and returns it. */
    int create(int first, long pane, long sent, int time, long events, long[] amounts) {
        int cell = take();
        paneNext(cell, pane, first);
        set(cell, pane, sent, time, events, amounts);
        return cell;
    }

    /** Makes it a cell of one event. */
    void set(int cell, long pane, long sent, int time, long events, long[] amounts) {
        paneNext(cell, pane, next(cell));
        times(cell, time, time, sent);
        cells.set(cell, AMOUNTS, amounts, width);
        cells.set(cell, count, events);
    }

    /** Creates a copy of a cell of another table, the last of a list, and returns it. */
    int copy(PaneCells from, int cell) {
        int copy = take();
        for (int field = TIMES_SENT; field < size; field++) {
            cells.set(copy, field, from.cells.get(cell, field));
        }
        paneNext(copy, from.pane(cell), NONE);
        return copy;
    }

    private int take() {
        if (free == NONE) {
            return cells.add();
        }
        int cell = free;
        free = next(cell);
        return cell;
    }

    /** Moves the time of the newest event on, or that of the first back. */
    private void addTime(int cell, int time) {
        times(cell, Math.min(time, firstTime(cell)), Math.max(time, newestTime(cell)), sent(cell));
    }

    /** Adds an event of the cell's pane. */
    void add(int cell, int time, long events, long[] amounts) {
        addTime(cell, time);
        for (int i = 0; i < width; i++) {
            cells.add(cell, AMOUNTS + i, amounts[i]);
        }
        if (count == AMOUNTS + width) {
            cells.add(cell, count, events);
        }
    }

    /** Adds an event with the cell's value, of the cell's pane. */
    void addOfValue(int cell, int time, long events) {
        addTime(cell, time);
        cells.add(cell, count, events);
    }

    /** Removes the cell after another one, or the first; returns the one that follows it. */
    int remove(int before, int cell) {
        int following = next(cell);
        if (before != NONE) {
            next(before, following);
        }
        next(cell, free);
        free = cell;
        return following;
    }

    /**
     * Replaces the sets of policies of all cells. A policy that was not there before gets none of them: it may have been there earlier, and must
     * not get anything twice.
     */
    void remap(PolicyBits bits) {
        for (int cell = 0; cell < cells.size(); cell++) {
            sent(cell, bits.of(sent(cell)) | bits.added());
        }
    }
}
