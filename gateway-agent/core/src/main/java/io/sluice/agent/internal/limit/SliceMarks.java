package io.sluice.agent.internal.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The total of a {@link SlidingWindowLimiter} at the first use of each of its newest slices. A mark is set before the first permit of its slice or of a
 * later one is taken, and never changed, so the total minus the mark is at least the use since the slice began. Slices without a mark are
 * unused.
 *
 * <p>A mark is one long: the slice's number since time 0, followed by as many bits of the total as a window can need. Since rates are below one
 * permit per 16 ns, both fit.
 */
final class SliceMarks {
    static final int SLICES = 10;
    /** Other threads have moved on: retry. */
    static final long MOVED = Long.MIN_VALUE;

    // the slices that the window touches, and one for a thread that is ahead
    private static final int PLACES = SLICES + 2;
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] places = new long[PLACES];
    private final long window;
    private final long length;
    private final long version;
    private final int bits;

    SliceMarks(long window, long version) {
        this.window = window;
        this.length = (window + SLICES - 1) / SLICES;
        this.version = version;
        // room for four times the most: what twelve slices hold can't be mistaken for less
        this.bits = 2 + 64 - Long.numberOfLeadingZeros(most(window));
    }

    /** Returns the most permits in a window of this length. */
    static long most(long window) {
        return Math.min(Integer.MAX_VALUE, window / 16);
    }

    long version() {
        return version;
    }

    boolean isOf(long nanos) {
        return window == nanos;
    }

    long start(long slice) {
        return slice * length;
    }

    /** Returns the slice of a time, at most one older than the newest. */
    long slice(long now) {
        return Math.max(now / length, newest() - 1);
    }

    private long newest() {
        long newest = 0;
        for (int i = 0; i < PLACES; i++) {
            newest = Math.max(newest, place(i) >>> bits);
        }
        return newest;
    }

    /** Returns the first slice of the window since which at most this much was used, or the one after all if there is none. */
    long firstThatFits(long slice, long total, long atMost) {
        for (long z = slice + 1; z >= slice - SLICES && z >= 0; z--) {
            long mark = place((int) (z % PLACES));
            if (mark >>> bits > z) {
                return MOVED;
            }
            if (mark >>> bits == z && since(mark, total) > atMost) {
                return z + 1;
            }
        }
        return slice - SLICES;
    }

    /** Returns the use of the window that ends with this slice. */
    long used(long slice, long total) {
        long used = 0;
        for (int i = 0; i < PLACES; i++) {
            long mark = place(i);
            if (mark >>> bits >= slice - SLICES) {
                used = Math.max(used, since(mark, total));
            }
        }
        return used;
    }

    private long since(long mark, long total) {
        return (total - mark) & mask();
    }

    private long mask() {
        return (1L << bits) - 1;
    }

    /** Sets the mark of a slice if it has none; false when that failed. */
    boolean mark(long slice, long total) {
        int i = (int) (slice % PLACES);
        long seen = place(i);
        long marked = seen >>> bits;
        return marked == slice
                || (marked < slice && PLACE.compareAndSet(places, i, seen, slice << bits | (total & mask())));
    }

    /** Returns whether the window that ends now is unused. */
    boolean idle(long now, long total) {
        return now >= idleFrom(total);
    }

    /** Returns the time from which the window is unused. */
    long idleFrom(long total) {
        long newest = newest();
        return newest == 0 && since(place(0), total) == 0 ? 0 : start(newest + SLICES + 1);
    }

    /** Returns marks for another window, in which the current use counts as of now. */
    SliceMarks under(long newWindow, long newVersion, long total, long now) {
        SliceMarks marks = new SliceMarks(newWindow, newVersion);
        long slice = Math.max(now, start(newest())) / marks.length;
        long used = Math.min(used(slice(now), total), most(newWindow));
        long start = (total - used) & marks.mask();
        // a place without a mark reads as slice 0: what left the old window must not count from there
        Arrays.fill(marks.places, start);
        marks.places[(int) (slice % PLACES)] = slice << marks.bits | start;
        return marks;
    }

    private long place(int i) {
        return (long) PLACE.getVolatile(places, i);
    }
}
