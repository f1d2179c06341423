package io.sluice.agent.internal.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What the total of a {@link SlidingWindowLimiter} was when each of its newest slices was first used. A mark is set before the first permit
 * of its slice or of a later one is taken, and never changed, so the total less the mark is at least what was taken
 * since the slice began. Slices without a mark were not used.
 *
 * <p>A mark is one long: the slice's number since time 0, and below it as many bits of the total as a window can need. As
 * a limit gives less than a permit in 16 ns, both fit.
 */
final class SliceMarks {
    static final int SLICES = 10;
    /** Others are further than this: look again. */
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

    /** Most permits in a window of this length. */
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

    /** The slice of this time, but at most one older than the newest. */
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

    /** The first slice of those in the window from which on no more than this was used; one after all if none is. */
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

    /** What was used in the window that ends with this slice. */
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

    /** Sets the slice's mark if it has none yet; false if that came to nothing. */
    boolean mark(long slice, long total) {
        int i = (int) (slice % PLACES);
        long seen = place(i);
        long marked = seen >>> bits;
        return marked == slice
                || (marked < slice && PLACE.compareAndSet(places, i, seen, slice << bits | (total & mask())));
    }

    /** Whether no slice in the window that ends now was used. */
    boolean idle(long now, long total) {
        return now >= idleFrom(total);
    }

    /** From when on no slice in the window was used. */
    long idleFrom(long total) {
        long newest = newest();
        return newest == 0 && since(place(0), total) == 0 ? 0 : start(newest + SLICES + 1);
    }

    /** Marks for another window, in which what was used here is used as of now. */
    SliceMarks under(long newWindow, long newVersion, long total, long now) {
        SliceMarks marks = new SliceMarks(newWindow, newVersion);
        long slice = Math.max(now, start(newest())) / marks.length;
        long used = Math.min(used(slice(now), total), most(newWindow));
        marks.places[(int) (slice % PLACES)] = slice << marks.bits | ((total - used) & marks.mask());
        return marks;
    }

    private long place(int i) {
        return (long) PLACE.getVolatile(places, i);
    }
}
