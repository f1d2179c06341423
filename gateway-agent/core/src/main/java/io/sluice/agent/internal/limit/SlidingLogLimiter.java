package io.sluice.agent.internal.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

/**
 * A sliding window log: stores the time of each permit, so that any (t − W, t] has at most N, and the returned wait is exact. Only a thread more than
 * W/8 late, while the ring is smaller than N, may be treated as if its time lay between its own and the newest.
 *
 * <p>The times are in a {@link TimestampRing} that starts with eight slots and doubles when more times fall into a window, so memory follows use,
 * not N. Taking one permit allocates only then; taking several copies the ring, so that all are taken or none.
 *
 * <p>Permits are not refunded: others may have been rejected because of them. When the limit changes, the times remain; of those before the
 * change, at least the newest N of the old limit are known.
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
    // the longest window seen: older times are not needed
    private volatile long longest;

    /** @param since admits nothing earlier */
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

    @Override
    public long nextPermit(WindowRate rate, long now) {
        long refused = ring.ask(rate, 1, now);
        return refused == TimestampRing.FROZEN ? 0 : Math.max(now < since ? since - now : 0, -refused);
    }

    /** Takes several permits by replacing the ring. */
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

    @Override
    public boolean charge(WindowRate rate, long permits, long now) {
        remember(rate.nanos());
        // the newest N times decide, so that more need not be stored
        int stored = (int) Math.min(permits, Math.max(1, rate.permits()));
        while (true) {
            TimestampRing current = ring;
            if (current == DROPPED) {
                return false;
            }
            TimestampRing copy = TimestampRing.copy(current, current.freeze(), longest, stored);
            copy.append(stored, Math.max(now, since));
            if (move(current, copy)) {
                return true;
            }
        }
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
        // a window is recorded before permits are taken under it, so it is read after the ring's newest time
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

    /** Returns the number of slots. */
    int capacity() {
        return ring.capacity();
    }
}
