package io.sluice.agent.internal.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongPredicate;

/**
 * The newest timestamps of a {@link SlidingLogLimiter}, in the order of their permits. They never decrease: a late thread's permit gets the newest
 * time.
 *
 * <p>Timestamp i is at position i modulo the capacity. The lowest bit of a position is the parity of the lap in which it was written, so any thread
 * can decide whether timestamp {@code next} is already present. Writing it, by a compare-and-set of the previous lap's value, <em>is</em> the
 * taking; advancing {@code next} is bookkeeping that any thread can complete. So there is no moment at which a permit is taken but not visible.
 * (Rings that advance an index before they write have one: a reader then sees the time of the previous lap.) A read is valid if the position is
 * still unwritten afterwards; positions only grow, so there is no ABA problem.
 *
 * <p>Freezing position {@code next} with its second lowest bit ends the ring in a defined state.
 */
final class TimestampRing {
    static final int SMALLEST = 8;
    /** The ring has no room although the limit allows one more. */
    static final long FULL = Long.MIN_VALUE + 3;
    /** The ring has ended: use its successor. */
    static final long FROZEN = Long.MIN_VALUE + 4;

    private static final int ICE = 2;
    private static final long NONE = -Limiter.LATEST;
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle NEXT;

    static {
        try {
            NEXT = MethodHandles.lookup().findVarHandle(TimestampRing.class, "next", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long[] places;
    private final int lapBits;
    private volatile long next;

    /** @param capacity a power of two */
    TimestampRing(int capacity) {
        places = new long[capacity];
        lapBits = Integer.numberOfTrailingZeros(capacity);
    }

    int capacity() {
        return places.length;
    }

    /** Takes a permit, or returns the time to wait as a negative number, {@link #FULL} or {@link #FROZEN}. */
    long take(WindowRate rate, long now) {
        while (true) {
            long i = next;
            long seen = place(i);
            if (written(seen, i)) {
                NEXT.compareAndSet(this, i, i + 1);
            } else if ((seen & ICE) != 0) {
                return FROZEN;
            } else {
                long wait = missing(i, rate, 1, now);
                boolean full = rate.permits() > places.length && time(i - places.length) > keptFrom(i, rate, now);
                long newest = time(i - 1);
                if (wait != 0 || full) {
                    if (place(i) == seen) {
                        return wait != 0 ? -wait : FULL;
                    }
                    continue;
                }
                long left = left(i, rate, now) - 1;
                if (PLACE.compareAndSet(places, at(i), seen, Math.max(now, newest) << 2 | lap(i))) {
                    NEXT.compareAndSet(this, i, i + 1);
                    return left;
                }
            }
        }
    }

    /** Returns 0 if the permits could be taken, otherwise as {@link #take}. */
    long ask(WindowRate rate, long permits, long now) {
        while (true) {
            long i = next;
            long seen = place(i);
            if (written(seen, i)) {
                NEXT.compareAndSet(this, i, i + 1);
            } else if ((seen & ICE) != 0) {
                return FROZEN;
            } else {
                long wait = missing(i, rate, permits, now);
                if (place(i) == seen) {
                    return -wait;
                }
            }
        }
    }

    /** Returns the nanoseconds until the limit allows so many permits at index i. */
    long missing(long i, WindowRate rate, long permits, long now) {
        long index = i - rate.permits() + permits - 1;
        if (index < Math.max(0, i - places.length)) {
            return 0;
        }
        long time = time(index);
        return Math.max(0, time + rate.nanos() - now);
    }

    /** Returns the time up to which timestamps may be overwritten while the ring is smaller than the limit, safe even for late threads. */
    private long keptFrom(long i, WindowRate rate, long now) {
        return Math.max(now, time(i - 1)) - rate.nanos() - rate.nanos() / 8;
    }

    /** Returns the permits left once so many timestamps are written. */
    long left(long end, WindowRate rate, long now) {
        long low = Math.max(0, end - Math.min(rate.permits(), places.length));
        long high = end;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (time(middle) > now - rate.nanos()) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return Math.max(0, rate.permits() - (end - low));
    }

    /**
     * Ends the ring.
     *
     * @return how many timestamps were ever written
     */
    long freeze() {
        while (true) {
            long i = next;
            long seen = place(i);
            if (written(seen, i)) {
                NEXT.compareAndSet(this, i, i + 1);
            } else if ((seen & ICE) != 0 || PLACE.compareAndSet(places, at(i), seen, seen | ICE)) {
                return i;
            }
        }
    }

    /** Returns the newest timestamp, or one long ago when there is none. */
    long newest() {
        while (true) {
            long i = next;
            if (!written(place(i), i)) {
                return time(i - 1);
            }
            NEXT.compareAndSet(this, i, i + 1);
        }
    }

    /** Ends the ring if the predicate accepts its newest timestamp and no thread interferes. */
    boolean freezeIf(LongPredicate newest) {
        long i = next;
        long seen = place(i);
        return !written(seen, i)
                && (seen & ICE) == 0
                && newest.test(time(i - 1))
                && PLACE.compareAndSet(places, at(i), seen, seen | ICE);
    }

    /**
     * Returns a ring that continues a frozen one, with room for more.
     *
     * @param limit decides which timestamps are needed: not those before its window, and of all, the new ones included, the newest N
     */
    static TimestampRing copy(TimestampRing from, long end, WindowRate limit, int more) {
        long first = Math.max(end - from.places.length, Math.min(end, end + more - limit.permits()));
        first = Math.max(0, first);
        long old = from.time(end - 1) - limit.nanos() - limit.nanos() / 8;
        while (first < end && from.time(first) <= old) {
            first++;
        }
        int kept = (int) (end - first);
        TimestampRing copy = new TimestampRing(Math.max(SMALLEST, powerOfTwo((long) kept + more)));
        for (int i = 0; i < kept; i++) {
            copy.places[i] = from.time(first + i) << 2 | copy.lap(i);
        }
        copy.next = kept;
        return copy;
    }

    private static int powerOfTwo(long atLeast) {
        return atLeast >= 1 << 30 ? 1 << 30 : Integer.highestOneBit((int) Math.max(1, atLeast * 2 - 1));
    }

    /** Returns the permits left. */
    long left(WindowRate rate, long now) {
        return left(next, rate, now);
    }

    /** Adds timestamps to an unpublished ring. */
    void append(int permits, long now) {
        long end = next;
        long time = Math.max(now, time(end - 1));
        for (long i = end; i < end + permits; i++) {
            places[at(i)] = time << 2 | lap(i);
        }
        next = end + permits;
    }

    private long place(long i) {
        return (long) PLACE.getVolatile(places, at(i));
    }

    private long time(long i) {
        return i < 0 ? NONE : place(i) >> 2;
    }

    private boolean written(long seen, long i) {
        return (seen & 1) == lap(i);
    }

    private int at(long i) {
        return (int) i & (places.length - 1);
    }

    /** Returns the lap's parity; the first is 1, which no empty position has. */
    private long lap(long i) {
        return ((i >>> lapBits) & 1) ^ 1;
    }
}
