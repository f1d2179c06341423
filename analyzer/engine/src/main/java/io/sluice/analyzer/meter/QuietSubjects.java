package io.sluice.analyzer.meter;

import static io.sluice.analyzer.meter.QuietTable.NONE;

import io.sluice.analyzer.window.Sums;
import io.sluice.contract.policy.Window;

/**
 * The subjects of one meter that are too small to matter: their events are held here, pane by pane, and are dropped when they have left the
 * window. A subject is quiet for a policy while its sum within the window is below its mark and below a {@value #PART_OF_TOTAL}th of everything
 * that the meter counts within the window. Then it becomes loud for that policy: what is held of it is released, and further events are counted
 * and travel. It stays loud for two windows, and on while it makes the half of either within each.
 *
 * <p>Policies that count the same subjects share entries, whatever they add up: an event is looked up and added once. A cell knows the policies
 * that have its events already; what all of them have is not kept.
 *
 * <p>With a mark of T/2k in each of k meters, a subject whose sum passes T is loud in at least one of them (Cormode, Muthukrishnan and Yi,
 * "Algorithms for distributed functional monitoring", SODA 2008), and the others hold less than T/2 of it. The part of the total keeps the
 * callers at the top visible, and bounds what all meters together hold of a subject to a {@value #PART_OF_TOTAL}th of all.
 * Not thread-safe.
 */
final class QuietSubjects {
    /** Subjects with at least this part of the total are loud. So at most twice as many of them are. */
    static final int PART_OF_TOTAL = 256;

    /** What is not needed any more takes at most such a part of the memory besides. */
    private static final int SUMMED_PARTS = 8;

    private final Window window;
    private final boolean distinct;
    private final int amounts;
    private final QuietTables tables;
    private final Watches watches;
    private final PaneTotals totals;
    /** Sums of the subject at hand. */
    private final long[] sums;
    /** Panes that have left the window are subtracted when an event comes in another group of so many panes. */
    private final long summedPanes;

    /** That of the tables. */
    private QuietTable young;
    /** That of the subject at hand. */
    private int entry;

    private long released;

    /**
     * @param distinct whether distinct values are counted
     * @param amounts how many sums there are; one for distinct values
     * @param counting which of them is the number of requests; {@link QuietTable#NONE}, when that is none of them
     * @param slackMillis how late an event may come and how far ahead of the broker's clock
     * @param rooms without room, subjects that are not yet known are counted as if they were loud, and further ones are not watched
     */
    QuietSubjects(
            Window window, boolean distinct, int amounts, int counting, long slackMillis, MeteredGroups.Rooms rooms) {
        this.window = window;
        this.distinct = distinct;
        this.amounts = amounts;
        tables = new QuietTables(window, amounts, counting, distinct, slackMillis, rooms.quiet());
        watches = new Watches(rooms.watches());
        young = tables.young();
        totals = new PaneTotals(window.panes(), amounts);
        sums = new long[amounts];
        summedPanes = Math.max(1, tables.keptPanes() / SUMMED_PARTS);
    }

    /** Prefetches the entry and its first cell, which {@link #add} reads. The result has no meaning. */
    long prefetch(long hash) {
        return young.prefetch(hash);
    }

    /**
     * Adds an admitted event. What {@link #released} returns afterwards is to be counted, and then {@link #clear cleared}.
     *
     * @param hash salted, of the subject
     * @param more amounts in the measures' smallest units; where distinct values are counted, the hash of the event's value
     * @param marks of the subject: sums, or numbers of distinct values
     * @return the policies for which the event is to be counted; for the others it is held here
     */
    long add(long hash, long time, long count, long[] more, Marks marks) {
        long pane = window.paneOf(time);
        released = 0;
        sums[0] = count;
        totals.add(pane, distinct ? sums : more);
        if (!find(hash, pane)) {
            return marks.all();
        }
        long loud = loud(hash, pane, marks);
        // a watch may have come while there was no room for the entry to move
        long watched = tables.moved() ? watches.policies(hash, pane) & ~loud : 0;
        if (watched != 0) {
            released = watched;
            loud |= watched;
            makeLoud(loud, pane, marks);
        }
        if (loud == marks.all()) {
            addToEntry(count, more);
            return loud;
        }
        if (!tables.hasRoomForCell()) {
            return marks.all();
        }
        boolean later = pane > young.newest(entry);
        if (!staysBelow(pane, loud, more, marks)) {
            sumAround(pane);
            addToSums(count, more);
            long reached = (distinct ? reachedValues(pane, more[0], marks) : reached(marks)) & ~loud;
            if (reached != 0) {
                released |= reached;
                loud |= reached;
                makeLoud(loud, pane, marks);
            }
        }
        addToEntry(count, more);
        if (loud != marks.all()) {
            put(later, pane, loud, time, count, more);
            tables.account();
        }
        return loud;
    }

    /**
     * Returns whether no further mark is reached even with the panes that have left the window since the sums were calculated, and moves the entry on
     * to the pane if so. To look at all panes of a subject at its first event in each of them would take longer than everything else.
     */
    private boolean staysBelow(long pane, long loud, long[] more, Marks marks) {
        long newest = young.newest(entry);
        if (distinct || pane < newest || (pane != newest && pane / summedPanes != newest / summedPanes)) {
            return false;
        }
        young.sums(entry, sums);
        addToSums(0, more);
        if ((reached(marks) & ~loud) != 0) {
            return false;
        }
        young.newest(entry, pane);
        return true;
    }

    private void put(boolean later, long pane, long sent, long time, long count, long[] more) {
        int offset = (int) (time - pane * window.paneMillis());
        if (distinct) {
            young.putValue(entry, pane, sent, offset, count, more);
        } else if (later) {
            young.create(entry, pane, sent, offset, count, more);
        } else {
            young.put(entry, pane, sent, offset, count, more);
        }
    }

    private void addToSums(long count, long[] more) {
        for (int i = 0; i < amounts; i++) {
            sums[i] = Sums.plus(sums[i], distinct ? count : more[i]);
        }
    }

    private void addToEntry(long count, long[] more) {
        young.sums(entry, sums);
        addToSums(count, more);
        young.setSums(entry, sums);
    }

    /** Returns the policies for which the subject's sums are too large to be quiet. */
    private long reached(Marks marks) {
        long reached = 0;
        for (int i = 0; i < amounts; i++) {
            reached |= big(i) ? marks.adding(i) : marks.reached(i, sums[i]);
        }
        return reached;
    }

    private boolean big(int amount) {
        return sums[amount] >= totals.sum(amount) / PART_OF_TOTAL;
    }

    /** The same for distinct values: those within each window that a pane is part of, at most, with one more value. */
    private long reachedValues(long pane, long value, Marks marks) {
        if (big(0)) {
            return marks.all();
        }
        // an upper bound: counting the values of the window walks through all cells
        if (marks.reached(0, 1 + young.values(entry)) == 0) {
            return 0;
        }
        long last = pane < young.newest(entry) ? pane + window.panes() - 1 : pane;
        return marks.reached(0, 1 + young.others(entry, value, pane - window.panes() + 1, last));
    }

    /** Adds a rejected event, which is to be counted for all policies: the demand of a locked subject must be known. */
    void rejected(long hash, long time, Marks marks) {
        long pane = window.paneOf(time);
        released = 0;
        if (find(hash, pane)) {
            released = marks.all() & ~young.loud(entry);
            makeLoud(marks.all(), pane, marks);
        }
    }

    /**
     * Makes a subject loud until a time, in epoch milliseconds. What {@link #released} returns afterwards is to be counted, and then
     * {@link #clear cleared}. Without room for the watch, it becomes loud for two windows, if it is known here.
     */
    void watch(long hash, long policies, long until, Marks marks) {
        released = 0;
        watches.add(hash, policies, window.paneOf(until));
        entry = tables.find(hash, totals.newest());
        if (entry == NONE) {
            return;
        }
        long loud = young.loud(entry);
        released = policies & ~loud;
        if (released != 0) {
            makeLoud(loud | policies, young.newest(entry), marks);
        }
    }

    /** The subjects that are loud until a pane, whatever they make. */
    Watches watches() {
        return watches;
    }

    private void makeLoud(long policies, long pane, Marks marks) {
        if (policies == marks.all() && young.loud(entry) != policies) {
            // from now on they are those of the time that it is loud
            young.clearSums(entry);
        }
        young.newest(entry, Math.max(pane, young.newest(entry)));
        young.loud(entry, policies, young.newest(entry) + 2L * window.panes());
    }

    /** Returns the policies for which the entry is, or stays, loud. */
    private long loud(long hash, long pane, Marks marks) {
        long loud = young.loud(entry);
        if (loud != 0 && pane > young.loudUntil(entry)) {
            boolean all = loud == marks.all();
            loud &= reachedWhileLoud(all, pane, marks) | watches.policies(hash, pane);
            young.loud(entry, loud, Math.max(pane, young.newest(entry)) + 2L * window.panes());
            if (all) {
                young.clearSums(entry);
            }
        }
        if (loud == marks.all()) {
            young.newest(entry, Math.max(pane, young.newest(entry)));
        }
        return loud;
    }

    /** Returns the policies for which the subject makes a mark in two windows. */
    private long reachedWhileLoud(boolean all, long pane, Marks marks) {
        if (all) {
            young.sums(entry, sums);
        } else {
            sumAround(pane);
            for (int i = 0; i < amounts; i++) {
                sums[i] = Sums.plus(sums[i], sums[i]);
            }
        }
        return reached(marks);
    }

    /** Calculates the entry's sums within each window that a pane is part of, at most; moves the entry on to that pane. */
    private void sumAround(long pane) {
        long newest = young.newest(entry);
        if (pane == newest && distinct) {
            young.sums(entry, sums);
            return;
        }
        young.trim(entry, Math.max(pane, newest) - tables.keptPanes());
        long first = pane - window.panes() + 1;
        if (pane >= newest) {
            young.sum(entry, first, pane, distinct, sums);
            young.newest(entry, pane);
            young.setSums(entry, sums);
        } else {
            young.sum(entry, first, pane + window.panes() - 1, distinct, sums);
        }
    }

    /** Finds or adds the entry of a subject; false without room, or in a time too far from all others. */
    private boolean find(long hash, long pane) {
        long newest = totals.newest();
        if (tables.rotate(newest)) {
            young = tables.young();
            watches.dropBefore(newest);
        }
        entry = tables.use(hash, pane, newest);
        if (tables.added()) {
            long watching = watches.policies(hash, pane);
            young.loud(entry, watching, watching == 0 ? 0 : pane + 2L * window.panes());
        }
        return entry != NONE;
    }

    /** Returns whether the subject that was added last was perhaps not added before within the window's length in progress. */
    boolean fresh() {
        return tables.fresh();
    }

    /** The cells, among them those that are to be released. */
    PaneCells cells() {
        return young.cells();
    }

    /** The policies to which the cells of the entry are to be released, as far as they have not been before. */
    long released() {
        return released;
    }

    /** The first cell of the entry that is to be released. */
    int firstCell() {
        return young.firstCell(entry);
    }

    /** Everything of the entry was released. */
    void clear(Marks marks) {
        if (young.loud(entry) == marks.all()) {
            young.trim(entry, Long.MAX_VALUE);
        } else {
            young.send(entry, released);
        }
        released = 0;
    }

    /** Number of subjects that are known, quiet and loud; some twice. */
    int size() {
        return tables.size();
    }

    /** Follows a change of the policies; what is held of those that stay is kept. */
    void remap(PolicyBits bits, long all) {
        tables.remap(bits, all);
        watches.remap(bits);
    }

    /** Drops everything that is held and returns the room. */
    void discard() {
        tables.discard();
        young = tables.young();
        released = 0;
    }
}
