package io.sluice.agent.internal.limit;

import java.util.function.LongSupplier;

/**
 * A token bucket that is one long: the generic cell rate algorithm (ITU-T I.371, virtual scheduling). The long is the
 * time at which the bucket will be full again; each permit moves it one interval on, and a permit is refused when that
 * would move it further ahead of now than the burst. In any span of time it gives at most burst plus rate times span.
 *
 * <p>When the rate changes, the permits that are missing stay missing, and come back at the new rate. So a span with
 * changes in it holds at most the burst in force at its last permit plus what the rates in force gave meanwhile. A
 * rate of nothing leaves the bucket as it is.
 */
public class TokenBucket extends CasLimiter<TokenRate> {
    /** A bucket that has to be settled. */
    public TokenBucket() {
        this(UNSETTLED);
    }

    /** @param fullAt when it will be full */
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

    /**
     * Gives permits back, but for what may have come back by itself in the time that went by: giving that twice would
     * break the bound. Nothing is given back when the rate changed meanwhile.
     */
    @Override
    public final void refund(TokenRate rate, long permits, long takenAt, long taken, LongSupplier clock) {
        CasLimiter<TokenRate> at = current();
        long cost = rate.interval() * permits;
        while (at.isUnder(rate)) {
            long current = at.state();
            // read after the bucket: a thread that is held up in between finds it changed, or full with nothing to give
            long left = cost - Math.max(0, clock.getAsLong() - takenAt);
            if (left <= 0 || current < 0 || at.replace(current, Math.max(0, current - left))) {
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
