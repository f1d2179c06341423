package io.sluice.agent.internal.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

/**
 * Remembers when each permit was taken, so there are never more than N in any (t − W, t], and the wait it tells is the
 * exact one. Only a thread that is more than W/8 late, while the ring is smaller than N, may be held to a time between its
 * own and the newest.
 *
 * <p>The times are kept in a {@link TimestampRing} that starts with eight places and doubles when more than that fall into a window, so a
 * caller pays for what it uses and not for N. Taking one permit allocates only then; taking several at once always copies
 * the ring, so that all come in or none.
 *
 * <p>A permit is not given back: others may have been refused because of it, and its place can't be told from theirs. When
 * the limit changes, the times stay; of those before the change at least the newest N of the old limit are known.
 */
public final class SlidingLogLimiter implements Limiter<WindowRate> {
    private static final TimestampRing DROPPED = new TimestampRing(1);
    private static final VarHandle RING;
    private static final VarHandle LONGEST;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            RING = lookup.findVarHandle(SlidingLogLimiter.class, "ring", TimestampRing.class);
            LONGEST = lookup.findVarHandle(SlidingLogLimiter.class, "longest", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long since;
    private volatile TimestampRing ring = new TimestampRing(TimestampRing.SMALLEST);
    // the longest window that was asked for: a time is of no use once it is older
    private volatile long longest;

    /** @param since gives nothing before */
    public SlidingLogLimiter(long since) {
        this.since = since;
    }

    @Override
    public long take(WindowRate rate, long permits, long now) {
        if (permits > rate.permits()) {
            return NEVER;
        }
        remember(rate.nanos());
        while (true) {
            TimestampRing current = ring;
            if (current == DROPPED) {
                return REMOVED;
            }
            if (now < since) {
                return now - since;
            }
            long result = permits == 1 ? current.take(rate, now) : several(current, rate, permits, now);
            if (result == TimestampRing.FULL) {
                move(current, TimestampRing.copy(current, current.freeze(), longest, 1));
            } else if (result == TimestampRing.FROZEN) {
                move(current, TimestampRing.copy(current, current.freeze(), longest, 0));
            } else {
                return result;
            }
        }
    }

    /** Takes several by replacing the ring. */
    private long several(TimestampRing current, WindowRate rate, long permits, long now) {
        long refused = current.ask(rate, permits, now);
        if (refused != 0) {
            return refused;
        }
        long next = current.freeze();
        if (current.missing(next, rate, permits, now) != 0) {
            return TimestampRing.FROZEN;
        }
        TimestampRing copy = TimestampRing.copy(current, next, longest, (int) permits);
        copy.append((int) permits, now);
        long left = copy.left(rate, now);
        return move(current, copy) ? left : TimestampRing.FROZEN;
    }

    private boolean move(TimestampRing from, TimestampRing to) {
        return RING.compareAndSet(this, from, to);
    }

    private void remember(long window) {
        long seen = longest;
        while (window > seen && !LONGEST.compareAndSet(this, seen, window)) {
            seen = longest;
        }
    }

    @Override
    public void refund(WindowRate rate, long permits, long takenAt, long taken, LongSupplier clock) {}

    @Override
    public boolean removeIfIdle(long now) {
        TimestampRing current = ring;
        // a window is asked for before a permit is taken under it, so read after the ring's newest
        return current != DROPPED
                && now >= since
                && current.freezeIf(newest -> newest <= now - longest)
                && move(current, DROPPED);
    }

    @Override
    public boolean isIdle(long now) {
        return now >= since && ring.newest() <= now - longest;
    }

    @Override
    public long idleFrom() {
        return Math.max(since, ring.newest() + longest);
    }

    @Override
    public boolean removed() {
        return ring == DROPPED;
    }

    /** How many times there is room for. */
    int capacity() {
        return ring.capacity();
    }
}
