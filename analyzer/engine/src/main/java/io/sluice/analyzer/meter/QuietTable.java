package io.sluice.analyzer.meter;

import java.util.Arrays;

/**
 * A table from a 64-bit hash to an entry, each with its sums, the policies for which it is loud, and a list of cells: one for each pane that
 * something was added to, or one for each value that is counted and, behind them, where values occurred again in later panes, one for the
 * requests of each earlier pane. Entries and cells are {@link Records}; a {@link HashIndex} finds entries, which are never removed: see {@link QuietSubjects}.
 * Not thread-safe.
 */
final class QuietTable {
    /** There is no such entry, or no cell. */
    static final int NONE = PaneCells.NONE;

    /** A cell of this value is of requests whose values have cells of later panes. */
    static final long NO_VALUE = 0;

    private static final long[] NO_VALUES = {NO_VALUE};

    /** Bits of a pane's number; a set of policies is above them. */
    private static final int PANE_BITS = Long.SIZE - PaneCells.POLICY_BITS;

    private static final long PANE = (1L << PANE_BITS) - 1;

    /** Fields of an entry. */
    private static final int HASH = 0;
    /** The newest pane, numbered from the base, beside the first cell. */
    private static final int NEWEST_HEAD = 1;
    /** The policies for which it is loud, beside the last pane. */
    private static final int LOUD_UNTIL = 2;

    private static final int SUMS = 3;

    private final int width;
    /** The field with the number of cells that have a value, in a table of distinct values; {@link #NONE} in others. */
    private final int values;

    private final Records entries;
    private final HashIndex index;
    private final PaneCells cells;
    private final long base;

    /**
     * @param base a pane from which those that are added are not far away: {@link #covers}
     * @param amounts how many sums there are
     * @param counting which of them is the number of requests; {@link #NONE}, when that is none of them
     * @param distinct whether each cell is of a distinct value
     */
    QuietTable(long base, int amounts, int counting, boolean distinct) {
        this.base = base;
        width = amounts;
        values = distinct ? SUMS + amounts : NONE;
        entries = new Records(SUMS + amounts + (distinct ? 1 : 0));
        index = new HashIndex(entries, HASH);
        cells = new PaneCells(base, amounts, counting);
    }

    /** Returns whether a pane is near enough to the base for an entry or a cell. */
    boolean covers(long pane) {
        return Math.abs(pane - base) < Integer.MAX_VALUE;
    }

    /** Number of entries. */
    int size() {
        return entries.size();
    }

    /** Bytes of heap that it takes. */
    long bytes() {
        return index.bytes() + entries.bytes() + cells.bytes();
    }

    /** Bytes of heap that one more entry with a cell would add to {@link #bytes}; mostly 0. */
    long growth() {
        return index.growth() + entries.growth() + cells.growth();
    }

    /** Returns the entry of a hash, or {@link #NONE}. */
    int find(long hash) {
        return index.find(hash);
    }

    /** Adds the entry of a hash that is not there. */
    int add(long hash, long newestPane) {
        int entry = entries.add();
        entries.set(entry, HASH, hash);
        set(entry, newestPane, NONE);
        index.add(entry);
        return entry;
    }

    private void set(int entry, long newest, int head) {
        entries.set(entry, NEWEST_HEAD, ((newest - base) << Integer.SIZE) | Integer.toUnsignedLong(head));
    }

    /** Newest pane that something was added to. */
    long newest(int entry) {
        return base + (entries.get(entry, NEWEST_HEAD) >> Integer.SIZE);
    }

    void newest(int entry, long pane) {
        set(entry, pane, firstCell(entry));
    }

    /** The policies for which the entry is loud. */
    long loud(int entry) {
        return entries.get(entry, LOUD_UNTIL) >>> PANE_BITS;
    }

    /** Last pane up to which the entry is loud, if it is. */
    long loudUntil(int entry) {
        return entries.get(entry, LOUD_UNTIL) & PANE;
    }

    void loud(int entry, long policies, long until) {
        entries.set(entry, LOUD_UNTIL, (policies << PANE_BITS) | until);
    }

    /** Copies the sums that the owner keeps with the entry. */
    void sums(int entry, long[] to) {
        entries.get(entry, SUMS, to, width);
    }

    void setSums(int entry, long[] sums) {
        entries.set(entry, SUMS, sums, width);
    }

    void clearSums(int entry) {
        for (int i = 0; i < width; i++) {
            entries.set(entry, SUMS + i, 0);
        }
    }

    /** The entry's first cell, or {@link #NONE}. Cells are in no order of panes. */
    int firstCell(int entry) {
        return (int) entries.get(entry, NEWEST_HEAD);
    }

    private void firstCell(int entry, int cell) {
        set(entry, newest(entry), cell);
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
        int cell = firstCell(entry);
        while (cell != NONE && !cells.is(cell, pane, sent)) {
            cell = cells.next(cell);
        }
        if (cell == NONE) {
            create(entry, pane, sent, time, count, amounts);
        } else {
            cells.add(cell, time, count, amounts);
        }
    }

    /** Adds an event to an entry that has no cell of its pane, or of its value. */
    void create(int entry, long pane, long sent, int time, long count, long[] amounts) {
        link(entry, NONE, cells.create(firstCell(entry), pane, sent, time, count, amounts));
    }

    /** Makes a cell the one after {@code before}, or the first. */
    private void link(int entry, int before, int cell) {
        if (before == NONE) {
            firstCell(entry, cell);
        } else {
            cells.next(before, cell);
        }
        addToValues(entry, cell, 1);
    }

    private void addToValues(int entry, int cell, int more) {
        if (values != NONE && cells.amount(cell, 0) != NO_VALUE) {
            entries.add(entry, values, more);
        }
    }

    /** Number of the entry's cells that have a value, in a table of distinct values. */
    long values(int entry) {
        return entries.get(entry, values);
    }

    /** Prefetches the entry of a hash and its first cell; the result has no meaning. */
    long prefetch(long hash) {
        int entry = find(hash);
        int cell = entry == NONE ? NONE : firstCell(entry);
        return cell == NONE ? entry : cells.pane(cell);
    }

    /**
     * Adds an event to the entry's cell of a value, which is created when it is not there. A cell is of the newest pane in which the value
     * occurred. Requests of earlier panes are kept in a cell of {@link #NO_VALUE} for each pane.
     *
     * @param sent the policies that have the event already
     * @param value in an array of one
     */
    void putValue(int entry, long pane, long sent, int time, long count, long[] value) {
        if (value[0] == NO_VALUE) {
            putRequests(entry, pane, sent, time, time, count);
            return;
        }
        int cell = cellOf(entry, value[0], sent);
        if (cell == NONE) {
            create(entry, pane, sent, time, count, value);
        } else if (cells.pane(cell) == pane) {
            cells.addOfValue(cell, time, count);
        } else if (cells.pane(cell) > pane) {
            putRequests(entry, pane, sent, time, time, count);
        } else {
            putRequests(
                    entry, cells.pane(cell), sent, cells.firstTime(cell), cells.newestTime(cell), cells.count(cell));
            cells.set(cell, pane, sent, time, count, value);
        }
    }

    private int cellOf(int entry, long value, long sent) {
        for (int cell = firstCell(entry); cell != NONE; cell = cells.next(cell)) {
            long other = cells.amount(cell, 0);
            if (other == value && cells.sent(cell) == sent) {
                return cell;
            }
            if (other == NO_VALUE) {
                break;
            }
        }
        return NONE;
    }

    private void putRequests(int entry, long pane, long sent, int firstTime, int newestTime, long count) {
        int before = NONE;
        int cell = firstCell(entry);
        while (cell != NONE && (cells.amount(cell, 0) != NO_VALUE || !cells.is(cell, pane, sent))) {
            before = cell;
            cell = cells.next(cell);
        }
        if (cell == NONE) {
            cell = cells.create(NONE, pane, sent, firstTime, count, NO_VALUES);
            link(entry, before, cell);
        } else {
            cells.addOfValue(cell, firstTime, count);
        }
        cells.addOfValue(cell, newestTime, 0);
    }

    /**
     * Copies a cell of another table to an entry that has none of its pane or value.
     *
     * @param last the entry's last cell
     * @return the copy, which is the last then
     */
    int copy(int entry, int last, PaneCells from, int cell) {
        int copy = cells.copy(from, cell);
        link(entry, last, copy);
        return copy;
    }

    /** Returns the number of values in the panes from {@code first} to {@code last}, except one. */
    int others(int entry, long value, long first, long last) {
        int others = 0;
        for (int cell = firstCell(entry); cell != NONE; cell = cells.next(cell)) {
            long other = cells.amount(cell, 0);
            if (other == NO_VALUE) {
                break;
            }
            others += other != value && cells.pane(cell) >= first && cells.pane(cell) <= last ? 1 : 0;
        }
        return others;
    }

    /** Removes the entry's cells of panes before {@code from}. */
    void trim(int entry, long from) {
        int before = NONE;
        for (int cell = firstCell(entry); cell != NONE; ) {
            if (cells.pane(cell) < from) {
                addToValues(entry, cell, -1);
                cell = cells.remove(before, cell);
                if (before == NONE) {
                    firstCell(entry, cell);
                }
            } else {
                before = cell;
                cell = cells.next(cell);
            }
        }
    }

    /** Marks the entry's cells as known to more policies. */
    void send(int entry, long policies) {
        for (int cell = firstCell(entry); cell != NONE; cell = cells.next(cell)) {
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
        for (int cell = firstCell(entry); cell != NONE; cell = cells.next(cell)) {
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
        for (int entry = 0; entry < size(); entry++) {
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
