package io.sluice.analyzer.top;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the requests of the last minute, and those with a claimed caller, in six slots of ten seconds. {@link #add} is for one thread,
 * {@link #at} for any.
 */
public final class ClaimedWindow {
    private static final long SLOT_MILLIS = 10_000;
    private static final int SLOTS = 6;

    private final AtomicLongArray requests = new AtomicLongArray(SLOTS);
    private final AtomicLongArray claimed = new AtomicLongArray(SLOTS);
    private volatile long newest = Long.MIN_VALUE;

    /**
     * Counts requests.
     *
     * @param time their broker time, epoch milliseconds; what is older than the newest counts as the newest
     * @param many at least 1
     */
    public void add(long time, long many, boolean isClaimed) {
        long slot = Math.floorDiv(time, SLOT_MILLIS);
        if (slot > newest) {
            advance(slot);
        }
        int index = Math.floorMod(newest, SLOTS);
        requests.setRelease(index, requests.getPlain(index) + many);
        if (isClaimed) {
            claimed.setRelease(index, claimed.getPlain(index) + many);
        }
    }

    private void advance(long slot) {
        long first = newest < slot - SLOTS ? slot - SLOTS + 1 : newest + 1;
        for (long passed = first; passed <= slot; passed++) {
            requests.setRelease(Math.floorMod(passed, SLOTS), 0);
            claimed.setRelease(Math.floorMod(passed, SLOTS), 0);
        }
        newest = slot;
    }

    /** Returns the broker time of the newest request, rounded up to ten seconds; {@link Long#MIN_VALUE} before the first one. */
    public long newest() {
        long slot = newest;
        return slot == Long.MIN_VALUE ? slot : slot * SLOT_MILLIS + SLOT_MILLIS - 1;
    }

    /** Returns the counts of the minute up to a broker time, or up to the newest request if that is later. */
    public ClaimedShare at(long time) {
        long last = newest;
        long end = Math.max(last, Math.floorDiv(time, SLOT_MILLIS));
        ClaimedShare sum = ClaimedShare.NONE;
        for (long slot = last; slot > end - SLOTS && slot > last - SLOTS; slot--) {
            int index = Math.floorMod(slot, SLOTS);
            sum = sum.plus(new ClaimedShare(requests.getAcquire(index), claimed.getAcquire(index)));
        }
        return sum;
    }
}
