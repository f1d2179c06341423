package io.sluice.agent.internal.limit;

import io.sluice.agent.verdict.Completion;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

/**
 * Limits the requests in flight. The limit is fixed, or moves between two bounds by additive increase and multiplicative decrease (Chiu and Jain,
 * 1989; as in TCP and the {@code AIMDLimit} of Netflix concurrency-limits): plus one after a limit's worth of successful permits while at least
 * half were in use, minus a tenth at a sign of overload. Permits taken before a decrease do not cause another, so one congestion is one
 * decrease.
 *
 * <p>One long holds the count and the limit, in units of 2^-20. Each permit must be {@link #end ended} or refunded once; {@link ConcurrencyPermit}
 * ensures that. The end of other requests is unknown, so a rejection advises to retry after one second. Removed only with none in flight,
 * and with a learned limit only after a minute.
 */
public final class ConcurrencyLimiter implements Limiter<ConcurrencyRange> {
    private static final long RETRY = 1_000_000_000;
    // the count has the lower 20 bits, the limit 20 bits and 20 more of fraction
    private static final int BITS = 20;
    private static final long COUNT = (1L << BITS) - 1;
    private static final long ONE = 1L << BITS;
    // how long a learned limit is kept
    private static final long MEMORY = 60_000_000_000L;
    private static final VarHandle WORD;
    private static final VarHandle DECREASED_AT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(ConcurrencyLimiter.class, "word", long.class);
            DECREASED_AT = lookup.findVarHandle(ConcurrencyLimiter.class, "decreasedAt", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long since;
    private volatile long word;
    private volatile long decreasedAt = -1;
    // set only while there is a learned limit
    private volatile long endedAt;

    /** @param since admits nothing earlier */
    public ConcurrencyLimiter(long since) {
        this.since = since;
    }

    /** {@inheritDoc} The end of other requests is never known. */
    @Override
    public long nextPermit(ConcurrencyRange range, long now) {
        return 0;
    }

    @Override
    public long take(ConcurrencyRange range, long permits, long now) {
        if (permits > range.max()) {
            return NEVER;
        }
        while (true) {
            long seen = word;
            if (seen == REMOVED) {
                return REMOVED;
            }
            if (now < since) {
                return now - since;
            }
            long left = (limit(range, seen) >> BITS) - (seen & COUNT) - permits;
            if (left < 0) {
                return -RETRY;
            }
            if (WORD.compareAndSet(this, seen, seen + permits)) {
                return left;
            }
        }
    }

    /** {@inheritDoc} Has no effect: what is in flight is known. */
    @Override
    public boolean charge(ConcurrencyRange range, long permits, long now) {
        return true;
    }

    /** Returns the limit within the range, in units of 2^-20; 0 means the initial limit. */
    private static long limit(ConcurrencyRange range, long seen) {
        return Math.max(range.min() * ONE, Math.min(range.max() * ONE, seen >> BITS));
    }

    @Override
    public void refund(ConcurrencyRange range, long permits, long takenAt, long taken, LongSupplier clock) {
        end(range, permits, takenAt, 0, takenAt, Completion.IGNORED);
    }

    /**
     * Ends permits and adjusts the limit.
     *
     * @param takenAt the time with which they were taken
     * @param delay nanoseconds after {@code takenAt} in which the gate itself held the request back
     */
    public void end(ConcurrencyRange range, long permits, long takenAt, long delay, long now, Completion how) {
        boolean slow = now - takenAt - delay >= range.slow();
        boolean overloaded = how == Completion.OVERLOADED || (how == Completion.SUCCESS && slow);
        long last = decreasedAt;
        boolean falls = overloaded && takenAt > last && DECREASED_AT.compareAndSet(this, last, Math.max(last, now));
        while (true) {
            long seen = word;
            long count = seen & COUNT;
            if (seen == REMOVED || count < permits) {
                throw new IllegalStateException("ended " + permits + " permits of " + inFlight() + " in flight");
            }
            long limit = limit(range, seen);
            long next = limit;
            if (falls) {
                next = limit - limit / 10;
            } else if (how == Completion.SUCCESS && !overloaded && count * 2 * ONE >= limit) {
                next = limit + (permits << (2 * BITS)) / limit;
            }
            long bounded = Math.max(range.min() * ONE, Math.min(range.max() * ONE, next));
            long kept = bounded == range.min() * ONE ? 0 : bounded;
            if (WORD.compareAndSet(this, seen, kept << BITS | (count - permits))) {
                if (kept != 0) {
                    endedAt = now;
                }
                return;
            }
        }
    }

    /** Returns the number in flight. */
    public int inFlight() {
        long seen = word;
        return seen == REMOVED ? 0 : (int) (seen & COUNT);
    }

    /** Returns the current limit. */
    public int limit(ConcurrencyRange range) {
        return (int) (limit(range, Math.max(0, word)) >> BITS);
    }

    @Override
    public boolean removeIfIdle(long now) {
        long seen = word;
        boolean idle = seen == 0 || (seen > 0 && (seen & COUNT) == 0 && now - endedAt >= MEMORY);
        return idle && now >= since && WORD.compareAndSet(this, seen, REMOVED);
    }

    /** Returns whether none is in flight; a learned limit may remain. */
    @Override
    public boolean isIdle(long now) {
        return inFlight() == 0;
    }

    /** Returns the start, or never while requests are in flight: time alone ends none. */
    @Override
    public long idleFrom() {
        return inFlight() == 0 ? since : LATEST;
    }

    @Override
    public boolean removed() {
        return word == REMOVED;
    }
}
