package io.sluice.agent.internal.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongPredicate;

/**
 * The newest times of a {@link SlidingLogLimiter}, in the order in which they were taken; never falling, for a thread whose time is behind is
 * noted at the newest's.
 *
 * <p>Time i stands at place i modulo the capacity. A place says with its lowest bit in which lap it was written, even or odd, so whoever
 * looks at place {@code next} can tell whether time {@code next} is already there. Writing it, by a compare-and-set of what was there
 * a lap before, <em>is</em> the taking; moving {@code next} on is only a note of it that anybody can finish. So there is
 * no moment in which a permit is taken and not seen. (Rings that move an index first and write the time afterwards have
 * one: a reader then finds the time of a lap ago.) What was read is true if the place is still unwritten afterwards, and
 * a time only grows in its place, so a compare-and-set can't mistake it.
 *
 * <p>Freezing place {@code next} with the second lowest bit ends the ring at a known state.
 */
final class TimestampRing {
    static final int SMALLEST = 8;
    /** There is no room, though the limit allows one more. */
    static final long FULL = Long.MIN_VALUE + 3;
    /** It ended: look for the next. */
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

    /** Takes a permit, or says how long to wait as a negative number, {@link #FULL} or {@link #FROZEN}. */
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

    /** 0 if permits could be taken, else as {@link #take}. */
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

    /** Nanoseconds until there is room for permits at index i, by the limit. */
    long missing(long i, WindowRate rate, long permits, long now) {
        long index = i - rate.permits() + permits - 1;
        if (index < Math.max(0, i - places.length)) {
            return 0;
        }
        long time = time(index);
        return Math.max(0, time + rate.nanos() - now);
    }

    /** What is not newer may be written over while the ring is smaller than the limit, without harm even to threads that are late. */
    private long keptFrom(long i, WindowRate rate, long now) {
        return Math.max(now, time(i - 1)) - rate.nanos() - rate.nanos() / 8;
    }

    /** Permits left once so many times are written. */
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
     * @return how many times were ever written to it
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

    /** The newest time; long ago when there is none. */
    long newest() {
        while (true) {
            long i = next;
            if (!written(place(i), i)) {
                return time(i - 1);
            }
            NEXT.compareAndSet(this, i, i + 1);
        }
    }

    /** Ends the ring if that holds of its newest time, and nobody else does anything. */
    boolean freezeIf(LongPredicate newest) {
        long i = next;
        long seen = place(i);
        return !written(seen, i)
                && (seen & ICE) == 0
                && newest.test(time(i - 1))
                && PLACE.compareAndSet(places, at(i), seen, seen | ICE);
    }

    /** A ring that goes on where a frozen one ended, with room for more; without what is too old for this window. */
    static TimestampRing copy(TimestampRing from, long end, long window, int more) {
        long first = Math.max(0, end - from.places.length);
        long old = from.time(end - 1) - window - window / 8;
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

    /** Permits left. */
    long left(WindowRate rate, long now) {
        return left(next, rate, now);
    }

    /** Adds times to a ring that nobody else knows yet. */
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

    /** The lap's bit; the first is 1, which no empty place has. */
    private long lap(long i) {
        return ((i >>> lapBits) & 1) ^ 1;
    }
}
