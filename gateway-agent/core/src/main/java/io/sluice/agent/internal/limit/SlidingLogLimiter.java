package io.sluice.agent.internal.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A sliding window log: stores the time of each permit, so that any (t − W, t] has at most N, and the returned wait is exact. Only a thread more than
 * W/8 late, while the ring is smaller than N, may be treated as if its time lay between its own and the newest.
 *
 * <p>The times are in a {@link TimestampRing} that starts with eight slots and doubles when more times fall into a window, so memory follows use,
 * not N, and the newest N are kept at most. Taking one permit allocates only then; taking several copies the ring, so that all are taken or none.
 *
 * <p>Permits are not refunded: others may have been rejected because of them. When the limit changes, the times remain; of those before the
 * change, at least the newest N of the old limit are known. As many times as the largest limit needs are kept until the windows of former limits are
 * over.
 */
public final class SlidingLogLimiter implements Limiter<WindowRate> {
    private static final TimestampRing DROPPED = new TimestampRing(1);
    private static final WindowRate UNUSED = new WindowRate(0, 1);
    private static final VarHandle RING;
    private static final VarHandle RATE;
    private static final VarHandle FORMER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            RING = lookup.findVarHandle(SlidingLogLimiter.class, "ring", TimestampRing.class);
            RATE = lookup.findVarHandle(SlidingLogLimiter.class, "rate", WindowRate.class);
            FORMER = lookup.findVarHandle(SlidingLogLimiter.class, "former", Former.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * The limits before the current one.
     *
     * @param largest their most permits and their longest window
     * @param replaced when the last of them was replaced
     */
    private record Former(WindowRate largest, long replaced) {
        /** Returns whether no time from before the replacement is in a window any more. */
        boolean isOver(long now) {
            return now - replaced >= largest.nanos();
        }

        WindowRate with(WindowRate rate) {
            return new WindowRate(Math.max(largest.permits(), rate.permits()), Math.max(largest.nanos(), rate.nanos()));
        }
    }

    private final long since;
    private volatile TimestampRing ring = new TimestampRing(TimestampRing.SMALLEST);
    private volatile WindowRate rate = UNUSED;
    private volatile @Nullable Former former;

    /** @param since admits nothing earlier */
    public SlidingLogLimiter(long since) {
        this.since = since;
    }

    @Override
    public long take(WindowRate rate, long permits, long now) {
        if (permits > rate.permits()) {
            return NEVER;
        }
        use(rate, now);
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
                move(current, successor(current, current.freeze(), 1));
            } else if (result == TimestampRing.FROZEN) {
                move(current, successor(current, current.freeze(), 0));
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
        TimestampRing copy = successor(current, next, (int) permits);
        copy.append((int) permits, now);
        long left = copy.left(rate, now);
        return move(current, copy) ? left : TimestampRing.FROZEN;
    }

    @Override
    public boolean charge(WindowRate rate, long permits, long now) {
        use(rate, now);
        // the newest N times decide, so that more need not be stored
        int stored = (int) Math.min(permits, Math.max(1, rate.permits()));
        while (true) {
            TimestampRing current = ring;
            if (current == DROPPED) {
                return false;
            }
            TimestampRing copy = successor(current, current.freeze(), stored);
            copy.append(stored, Math.max(now, since));
            if (move(current, copy)) {
                return true;
            }
        }
    }

    private boolean move(TimestampRing from, TimestampRing to) {
        return RING.compareAndSet(this, from, to);
    }

    private TimestampRing successor(TimestampRing from, long end, int more) {
        return TimestampRing.copy(from, end, largest(from.newest()), more);
    }

    /** Records a limit, before permits are taken under it. */
    @SuppressWarnings("ReferenceEquality") // the same limit is that of nearly each call
    private void use(WindowRate asked, long now) {
        WindowRate own = rate;
        while (own != asked && !own.equals(asked)) {
            Former before = former;
            WindowRate largest = before == null || before.isOver(now) ? own : before.with(own);
            boolean kept = own == UNUSED || FORMER.compareAndSet(this, before, new Former(largest, now));
            if (kept && RATE.compareAndSet(this, own, asked)) {
                return;
            }
            own = rate;
        }
    }

    /** Returns the most permits and the longest window of the limits for which times are kept. */
    private WindowRate largest(long newest) {
        // read before the former ones, of which it may become one
        WindowRate own = rate;
        Former before = former;
        return before == null || before.isOver(newest) ? own : before.with(own);
    }

    @Override
    public void refund(WindowRate rate, long permits, long takenAt, long taken, LongSupplier clock) {}

    @Override
    public boolean removeIfIdle(long now) {
        TimestampRing current = ring;
        // a limit is recorded before permits are taken under it, so it is read after the ring's newest time
        return current != DROPPED
                && now >= since
                && current.freezeIf(newest -> idleFrom(newest) <= now)
                && move(current, DROPPED);
    }

    @Override
    public boolean isIdle(long now) {
        return idleFrom() <= now;
    }

    @Override
    public long idleFrom() {
        return Math.max(since, idleFrom(ring.newest()));
    }

    private long idleFrom(long newest) {
        return newest + largest(newest).nanos();
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
