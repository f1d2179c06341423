package io.sluice.agent.internal.limit;

import java.util.function.LongSupplier;

/**
 * A leaky bucket as a queue without storage: each request gets a time slot, at least an interval after the previous one; requests that would wait
 * longer than {@code maxWait} are rejected. The state is the time of the next free slot. Taking returns the nanoseconds until the slot, or
 * until the last of several. {@link TurnPacer} waits for slots.
 *
 * <p>When the pace changes, assigned slots remain and new ones follow at the new interval. A slot is refunded only if none was taken after it.
 */
public final class LeakyBucket extends CasLimiter<Pace> {
    /** Creates a bucket that has yet to be initialized. */
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
    long nextPermit(Pace pace, long next, long now) {
        return next - now - pace.maxWait();
    }

    @Override
    long charged(Pace pace, long next, long permits, long now) {
        long after = Math.max(next, now) + debt(permits, pace.interval(), pace.maxWait() + pace.interval());
        return Math.max(next, Math.min(after, now + LONGEST_DEBT + pace.maxWait() + pace.interval()));
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
