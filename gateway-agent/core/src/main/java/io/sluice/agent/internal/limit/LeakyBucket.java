package io.sluice.agent.internal.limit;

import java.util.function.LongSupplier;

/**
 * Paces: everybody has a turn, at least an interval after the one before, and whoever would have to wait for it longer
 * than {@code maxWait} is refused. The long is the time of the next turn that is free, so whoever waits stands in no queue.
 * Taking returns the nanoseconds until the turn; of several permits, until the turn of the last. See {@link TurnPacer} for
 * waiting.
 *
 * <p>At a change of pace the turns that were given stay given, and new ones follow at the new interval. A turn is given
 * back only if nobody took one after it; else it passes unused.
 */
public final class LeakyBucket extends CasLimiter<Pace> {
    /** A bucket that has to be settled. */
    public LeakyBucket() {
        this(UNSETTLED);
    }

    private LeakyBucket(long next) {
        super(next);
    }

    @Override
    long takeFromState(Pace pace, long permits, long now) {
        long more = (permits - 1) * pace.interval();
        while (true) {
            long current = state();
            if (current < 0) {
                return stateOf(current);
            }
            long turn = Math.max(current, now) + more;
            long wait = turn - now;
            if (wait > pace.maxWait()) {
                return pace.maxWait() - wait;
            }
            if (replace(current, turn + pace.interval())) {
                return wait;
            }
        }
    }

    @Override
    public void refund(Pace pace, long permits, long takenAt, long taken, LongSupplier clock) {
        long after = takenAt + taken + pace.interval();
        CasLimiter<Pace> at = current();
        if (at.isUnder(pace)) {
            at.replace(after, after - permits * pace.interval());
        }
    }

    @Override
    long converted(Pace from, long next, Pace to, long now) {
        return next;
    }

    @Override
    long idleFrom(Pace pace, long next) {
        return next;
    }

    @Override
    long idle(Pace pace, long since) {
        return since;
    }

    @Override
    long spent(Pace pace, long now) {
        return now + pace.maxWait() + pace.interval();
    }

    @Override
    CasLimiter<Pace> successor(long next) {
        return new LeakyBucket(next);
    }
}
