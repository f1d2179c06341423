package io.sluice.analyzer.meter;

import static io.sluice.analyzer.meter.QuietTable.NONE;

import io.sluice.analyzer.window.Sums;
import io.sluice.contract.policy.Window;
import java.util.HashMap;
import java.util.Map;

/**
 * The subjects of one meter that are too small to matter: their events are held here, pane by pane, and are dropped when they have left the
 * window. A subject is quiet while its sum within the window is below its mark and below a {@value #PART_OF_TOTAL}th of everything that the
 * meter counts within the window. Then it becomes loud: what is held of it is released, and further events are counted and travel. It stays
 * loud for two windows, and on while it makes the half of either within each.
 *
 * <p>With a mark of T/2k in each of k meters, a subject whose sum passes T is loud in at least one of them (Cormode, Muthukrishnan and Yi,
 * "Algorithms for distributed functional monitoring", SODA 2008), and the others hold less than T/2 of it. The part of the total keeps the
 * callers at the top visible, and bounds what all meters together hold of a subject to a {@value #PART_OF_TOTAL}th of all.
 *
 * <p>Two tables take turns: an entry that is used moves from the old to the young one, and what nobody used for a window and the longest
 * lateness goes with the old table. Not thread-safe.
 */
final class QuietSubjects {
    /** Subjects with at least this part of the total are loud. So at most twice as many of them are. */
    static final int PART_OF_TOTAL = 256;

    /** Where an event goes. */
    enum Answer {
        /** It is held here. */
        HELD,
        /** It is to be counted. */
        COUNT,
        /** It is to be counted, after the cells of {@link #released} have been, which are then to be {@link #clear cleared}. */
        RELEASE
    }

    /** The heap that it may take. */
    interface Room {
        /** Takes so many bytes; false when there are no more. */
        boolean take(long bytes);

        void release(long bytes);
    }

    private final Window window;
    private final boolean distinct;
    private final long keptPanes;
    private final Room room;
    private final PaneTotals totals;
    /** Hashes of subjects that are loud until a pane, whatever they make. */
    private final Map<Long, Long> watched = new HashMap<>();

    private QuietTable young = new QuietTable();
    private QuietTable old = new QuietTable();
    private long rotated = Long.MIN_VALUE;
    private long taken;
    private int entry;
    private boolean fresh;

    /**
     * @param distinct whether distinct values are counted
     * @param slackMillis how late an event may come and how far ahead of the broker's clock
     * @param room without room, subjects that are not yet known are counted as if they were loud
     */
    QuietSubjects(Window window, boolean distinct, long slackMillis, Room room) {
        this.window = window;
        this.distinct = distinct;
        this.room = room;
        keptPanes = window.panes() - Math.floorDiv(-slackMillis, window.paneMillis());
        totals = new PaneTotals(window.panes());
    }

    /**
     * Adds an admitted event.
     *
     * @param hash salted, of the subject
     * @param amount in the measure's smallest unit; where distinct values are counted, the hash of the event's value
     * @param mark a sum, or number of distinct values, from which on the subject is loud
     */
    Answer add(long hash, long time, long count, long amount, long mark) {
        long pane = window.paneOf(time);
        long more = distinct ? count : amount;
        totals.add(pane, more);
        if (!find(hash, pane)) {
            return Answer.COUNT;
        }
        if (young.loudUntil(entry) != Long.MIN_VALUE) {
            young.newest(entry, Math.max(pane, young.newest(entry)));
            if (staysLoud(hash, pane, mark)) {
                young.sum(entry, Sums.plus(young.sum(entry), more));
                return Answer.COUNT;
            }
            young.loudUntil(entry, Long.MIN_VALUE);
            young.sum(entry, 0);
        }
        long sum = Sums.plus(around(pane), more);
        if (distinct ? values(pane, amount) >= mark || big(sum) : loud(sum, mark)) {
            makeLoud(pane, more);
            return Answer.RELEASE;
        }
        int offset = (int) (time - pane * window.paneMillis());
        if (distinct) {
            young.putValue(entry, pane, offset, count, amount);
        } else {
            young.put(entry, pane, offset, count, amount);
        }
        young.sum(entry, Sums.plus(young.sum(entry), more));
        return Answer.HELD;
    }

    /** Number of distinct values within each window that a pane is part of, at most, with one more value. */
    private int values(long pane, long value) {
        long last = pane < young.newest(entry) ? pane + window.panes() - 1 : pane;
        return 1 + young.others(entry, value, pane - window.panes() + 1, last);
    }

    /** Adds a rejected event: the demand of a locked subject must be known. */
    Answer rejected(long hash, long time) {
        long pane = window.paneOf(time);
        if (!find(hash, pane)) {
            return Answer.COUNT;
        }
        boolean quiet = young.loudUntil(entry) == Long.MIN_VALUE;
        if (quiet) {
            makeLoud(pane, 0);
        } else {
            young.loudUntil(entry, Math.max(young.loudUntil(entry), pane + 2L * window.panes()));
        }
        return quiet ? Answer.RELEASE : Answer.COUNT;
    }

    /**
     * Makes a subject loud until a time, in epoch milliseconds.
     *
     * @return whether something of it is held: its cells are to be counted, then {@link #clear cleared}
     */
    boolean watch(long hash, long until) {
        watched.put(hash, window.paneOf(until));
        entry = young.find(hash);
        if (entry == NONE && old.find(hash) != NONE) {
            find(hash, totals.newest());
        }
        if (entry == NONE || young.loudUntil(entry) != Long.MIN_VALUE) {
            return false;
        }
        makeLoud(young.newest(entry), 0);
        return young.firstCell(entry) != NONE;
    }

    private boolean loud(long sum, long mark) {
        return sum >= mark || big(sum);
    }

    private boolean big(long sum) {
        return sum >= totals.sum() / PART_OF_TOTAL;
    }

    private void makeLoud(long pane, long sum) {
        young.newest(entry, Math.max(pane, young.newest(entry)));
        young.loudUntil(entry, young.newest(entry) + 2L * window.panes());
        young.sum(entry, sum);
    }

    private boolean staysLoud(long hash, long pane, long mark) {
        if (pane <= young.loudUntil(entry)) {
            return true;
        }
        // of two windows
        if (!loud(young.sum(entry), mark) && !watched(hash, pane)) {
            return false;
        }
        makeLoud(pane, 0);
        return true;
    }

    private boolean watched(long hash, long pane) {
        return !watched.isEmpty() && watched.getOrDefault(hash, Long.MIN_VALUE) >= pane;
    }

    /** Returns the entry's sum within each window that a pane is part of, at most; moves the entry on to that pane. */
    private long around(long pane) {
        long newest = Math.max(pane, young.newest(entry));
        long from = newest - keptPanes;
        if (pane > young.newest(entry)) {
            young.newest(entry, pane);
            young.sum(entry, young.trim(entry, from, pane - window.panes() + 1, pane, distinct));
        } else if (pane < young.newest(entry)) {
            return young.trim(entry, from, pane - window.panes() + 1, pane + window.panes() - 1, distinct);
        }
        return young.sum(entry);
    }

    /** Finds or adds the entry of a subject; false without room. */
    private boolean find(long hash, long pane) {
        rotate();
        entry = young.find(hash);
        fresh = entry == NONE || period(young.newest(entry)) < period(pane);
        if (entry != NONE) {
            return true;
        }
        long growth = young.growth();
        if (growth > 0 && !take(growth)) {
            return false;
        }
        int former = old.find(hash);
        entry = young.add(hash, former == NONE ? pane : old.newest(former));
        if (former != NONE) {
            move(former);
        } else if (watched(hash, pane)) {
            makeLoud(pane, 0);
        }
        return true;
    }

    private long period(long pane) {
        return Math.floorDiv(pane, (long) window.panes());
    }

    /** Returns whether the subject that was added last was perhaps not added before within the window's length in progress. */
    boolean fresh() {
        return fresh;
    }

    private boolean take(long bytes) {
        if (!room.take(bytes)) {
            return false;
        }
        taken += bytes;
        return true;
    }

    private void move(int former) {
        young.sum(entry, old.sum(former));
        young.loudUntil(entry, old.loudUntil(former));
        PaneCells cells = old.cells();
        for (int cell = old.firstCell(former); cell != NONE; cell = cells.next(cell)) {
            if (cells.pane(cell) > totals.newest() - keptPanes) {
                young.copy(entry, cells, cell);
            }
        }
    }

    private void rotate() {
        if (rotated == Long.MIN_VALUE) {
            rotated = totals.newest();
        } else if (totals.newest() - rotated > keptPanes) {
            rotated = totals.newest();
            taken -= old.bytes();
            room.release(old.bytes());
            old = young;
            young = new QuietTable();
            watched.values().removeIf(pane -> pane < totals.newest());
        }
    }

    /** The cells, among them those that are to be released. */
    PaneCells cells() {
        return young.cells();
    }

    /** The first cell of the entry that is to be released. */
    int released() {
        return young.firstCell(entry);
    }

    /** Removes the cells of the entry that was released. */
    void clear() {
        young.trim(entry, Long.MAX_VALUE, 0, 0, false);
    }

    /** Number of subjects that are known, quiet and loud; some twice. */
    int size() {
        return young.size() + old.size();
    }

    /** Number of subjects that are watched; some perhaps no longer. */
    int watchedSize() {
        return watched.size();
    }

    /** Drops everything that is held and returns the room. */
    void discard() {
        room.release(taken);
        taken = 0;
        young = new QuietTable();
        old = new QuietTable();
        rotated = Long.MIN_VALUE;
    }
}
