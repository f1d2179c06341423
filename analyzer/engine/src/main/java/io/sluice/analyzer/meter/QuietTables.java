package io.sluice.analyzer.meter;

import static io.sluice.analyzer.meter.QuietTable.NONE;

import io.sluice.contract.policy.Window;

/**
 * Two {@link QuietTable}s that take turns: an entry that is used moves from the old to the young one, and those without a use for a window and the
 * longest lateness go with the old table. Their bytes are taken from a {@link Room}. Not thread-safe.
 */
final class QuietTables {
    /** The heap that they may take. */
    interface Room {
        /** Returns whether so many bytes more may be taken. */
        boolean has(long bytes);

        /** Takes bytes, or returns them. */
        void add(long bytes);
    }

    private final int panes;
    private final int amounts;
    private final int counting;
    private final boolean distinct;
    private final long keptPanes;
    private final Room room;
    private final long[] sums;

    private QuietTable young;
    private QuietTable old;
    private long rotated = Long.MIN_VALUE;
    private long taken;
    private boolean added;
    private boolean moved;
    private boolean fresh;

    /**
     * @param amounts how many sums an entry has
     * @param counting which of them is the number of requests; {@link QuietTable#NONE}, when that is none of them
     * @param distinct whether distinct values are counted
     * @param slackMillis how late an event may come and how far ahead of the broker's clock
     */
    QuietTables(Window window, int amounts, int counting, boolean distinct, long slackMillis, Room room) {
        panes = window.panes();
        this.amounts = amounts;
        this.counting = counting;
        this.distinct = distinct;
        keptPanes = panes - Math.floorDiv(-slackMillis, window.paneMillis());
        this.room = room;
        sums = new long[amounts];
        young = table(0);
        old = table(0);
    }

    private QuietTable table(long base) {
        return new QuietTable(base, amounts, counting, distinct);
    }

    /** The table with the entries that {@link #use} returns. */
    QuietTable young() {
        return young;
    }

    /** How many panes before the newest one are of use. */
    long keptPanes() {
        return keptPanes;
    }

    /** Lets the tables take turns when it is time; returns whether they did. */
    boolean rotate(long newest) {
        if (rotated != Long.MIN_VALUE && newest - rotated <= keptPanes) {
            return false;
        }
        old = rotated == Long.MIN_VALUE ? table(newest) : young;
        young = table(newest);
        rotated = newest;
        account();
        return true;
    }

    /**
     * Finds or adds the entry of a subject.
     *
     * @param newest the newest pane of all
     * @return {@link QuietTable#NONE} without room, or when the pane is too far from all others
     */
    int use(long hash, long pane, long newest) {
        added = false;
        moved = false;
        if (!young.covers(pane)) {
            fresh = true;
            return NONE;
        }
        int entry = young.find(hash);
        fresh = entry == NONE || period(young.newest(entry)) < period(pane);
        if (entry == NONE && hasRoom(young.growth())) {
            int former = old.find(hash);
            if (former != NONE && young.covers(old.newest(former))) {
                entry = move(hash, former, newest - keptPanes);
                moved = true;
            } else {
                entry = young.add(hash, pane);
                added = true;
            }
            account();
        }
        return entry;
    }

    /** Finds the entry of a subject, if there is one. */
    int find(long hash, long newest) {
        int entry = young.find(hash);
        return entry == NONE && old.find(hash) != NONE ? use(hash, newest, newest) : entry;
    }

    private long period(long pane) {
        return Math.floorDiv(pane, (long) panes);
    }

    private int move(long hash, int former, long after) {
        int entry = young.add(hash, old.newest(former));
        old.sums(former, sums);
        young.setSums(entry, sums);
        young.loud(entry, old.loud(former), old.loudUntil(former));
        PaneCells cells = old.cells();
        int last = NONE;
        for (int cell = old.firstCell(former); cell != NONE; cell = cells.next(cell)) {
            if (cells.pane(cell) > after) {
                last = young.copy(entry, last, cells, cell);
            }
        }
        return entry;
    }

    /** Returns whether the entry that was used last was not known before. */
    boolean added() {
        return added;
    }

    /** Returns whether the entry that was used last was moved from the other table just now. */
    boolean moved() {
        return moved;
    }

    /** Returns whether the subject that was used last was perhaps not used before within the window's length in progress. */
    boolean fresh() {
        return fresh;
    }

    /** Returns whether there is room for a cell. */
    boolean hasRoomForCell() {
        return hasRoom(young.cells().growth());
    }

    private boolean hasRoom(long growth) {
        return growth == 0 || room.has(growth);
    }

    /** Takes the bytes by which the tables have grown. */
    void account() {
        long bytes = young.bytes() + old.bytes();
        if (bytes != taken) {
            room.add(bytes - taken);
            taken = bytes;
        }
    }

    /** Number of entries; some subjects have two. */
    int size() {
        return young.size() + old.size();
    }

    /** Replaces the sets of policies; {@code all} is what used to be the set of all policies. */
    void remap(PolicyBits bits, long all) {
        young.remap(bits, all);
        old.remap(bits, all);
    }

    /** Drops everything and returns the room. */
    void discard() {
        room.add(-taken);
        taken = 0;
        young = table(0);
        old = table(0);
        rotated = Long.MIN_VALUE;
    }
}
