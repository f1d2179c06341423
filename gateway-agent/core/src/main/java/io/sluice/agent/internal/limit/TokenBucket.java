package io.sluice.agent.internal.limit;

import java.util.function.LongSupplier;

/**
 * A token bucket in one long: the generic cell rate algorithm (ITU-T I.371, virtual scheduling). The state is the time at which the bucket will be
 * full again. Each permit advances it by one interval; a permit is rejected when that would exceed now by more than the burst. Any span of
 * time admits at most burst plus rate times span.
 *
 * <p>When the rate changes, missing permits remain missing and return at the new rate. So a span with changes admits at most the burst in force
 * at its last permit plus what the rates in force provided. A rate of 0 leaves the bucket unchanged.
 */
public class TokenBucket extends CasLimiter<TokenRate> {
    /** Creates a bucket that has yet to be initialized. */
    public TokenBucket() {
        this(UNSETTLED);
    }

    /** @param fullAt the time at which it will be full */
    public TokenBucket(long fullAt) {
        super(fullAt);
    }

    @Override
    final long takeFromState(TokenRate rate, long permits, long now) {
        long cost = rate.interval() * permits;
        while (true) {
            long current = state();
            if (current < 0) {
                return stateOf(current);
            }
            long next = Math.max(current, now) + cost;
            long ahead = next - now;
            if (ahead > rate.tolerance()) {
                return rate.tolerance() - ahead;
            }
            if (replace(current, next)) {
                return (rate.tolerance() - ahead) / rate.interval();
            }
        }
    }

    @Override
    final long nextPermit(TokenRate rate, long fullAt, long now) {
        return Math.max(fullAt, now) + rate.interval() - now - rate.tolerance();
    }

    @Override
    final long charged(TokenRate rate, long fullAt, long permits, long now) {
        long next = Math.max(fullAt, now) + debt(permits, rate.interval(), rate.tolerance());
        return Math.max(fullAt, Math.min(next, now + LONGEST_DEBT + rate.tolerance()));
    }

    /**
     * Refunds permits, except those that may have returned by themselves meanwhile: refunding them too would exceed the limit. None has returned
     * while the bucket, as it was left, cannot have been full again; at the earliest one interval is needed for each. After a change
     * of the rate, that is the shorter of both intervals, and only whole permits are refunded, at the rate in force.
     */
    @Override
    public final void refund(TokenRate rate, long permits, long takenAt, long taken, LongSupplier clock) {
        long cost = rate.interval() * permits;
        while (true) {
            CasLimiter<TokenRate> at = current();
            TokenRate own = at.termsOr(rate);
            long current = at.state();
            // the clock is read after the bucket: a thread delayed in between finds it changed, or full with nothing to
            // refund
            long now = clock.getAsLong();
            if (current < 0) {
                if (stateOf(current) != FROZEN) {
                    return;
                }
                // completes another thread's change without changing the configuration; that thread tries again
                changed(own, now);
                continue;
            }
            long passed = now - takenAt;
            if (own.interval() < rate.interval()) {
                passed = rate.costOf(Math.max(0, passed), own);
            }
            long unfilled = rate.tolerance() - (taken + 1) * rate.interval() - passed;
            long left = Math.min(cost, Math.max(unfilled, cost - Math.max(0, passed)));
            if (own.interval() != rate.interval()) {
                // part of a permit would be rounded up
                left = own.costOf(left - left % rate.interval(), rate);
            }
            if (left <= 0 || at.replace(current, Math.max(0, current - left))) {
                return;
            }
        }
    }

    @Override
    final long converted(TokenRate from, long fullAt, TokenRate to, long now) {
        return fullAt <= now ? fullAt : now + to.costOf(fullAt - now, from);
    }

    @Override
    final long idleFrom(TokenRate rate, long fullAt) {
        return fullAt;
    }

    @Override
    final long idle(TokenRate rate, long since) {
        return since;
    }

    @Override
    final long spent(TokenRate rate, long now) {
        return now + rate.tolerance();
    }

    @Override
    final CasLimiter<TokenRate> successor(long fullAt) {
        return new TokenBucket(fullAt);
    }
}
