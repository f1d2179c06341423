package io.sluice.agent.internal.lease;

import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.LockValidity;
import org.jspecify.annotations.Nullable;

/**
 * How long a decision holds: to the end of its lease by broker time, and in any case not longer than the lease's length
 * after it arrived, should broker time ever stand still. Immutable.
 *
 * @param clock the clock of the partition it came from
 * @param end broker time at which it ends, epoch milliseconds
 * @param deadline monotonic nanoseconds at which it ends at the latest
 */
public record LeaseExpiry(BrokerClock clock, long end, long deadline) {

    /**
     * The lease of a gate lock.
     *
     * @param append when the broker appended the record
     * @param arrived monotonic nanoseconds
     */
    public static LeaseExpiry capped(BrokerClock clock, long append, long ttlMillis, long maxLease, long arrived) {
        long length = Math.min(ttlMillis, maxLease);
        return new LeaseExpiry(clock, append + length, arrived + length * 1_000_000);
    }

    /** What an operator said: not capped, and with a ttl of 0 without an end. */
    public static LeaseExpiry operator(BrokerClock clock, long append, long ttlMillis, long arrived) {
        long end = LockValidity.operatorEnd(ttlMillis, append);
        return new LeaseExpiry(
                clock, end, end == LockValidity.ENDLESS ? Long.MAX_VALUE : arrived + ttlMillis * 1_000_000);
    }

    /**
     * Returns this lease, with the deadline of {@code known} if that is earlier and both end at the same broker time: a
     * record that is read again doesn't hold longer.
     */
    public LeaseExpiry cappedBy(@Nullable LeaseExpiry known) {
        return known != null && known.clock == clock && known.end == end && known.deadline < deadline ? known : this;
    }

    /** Whether it is over at the monotonic time {@code now}. */
    public boolean expired(long now) {
        return now >= deadline || clock.now(now) >= end;
    }

    /** Milliseconds left, 0 when it is over. */
    public long left(long now) {
        long byDeadline = (deadline - now) / 1_000_000;
        long broker = clock.now(now);
        return Math.max(0, broker == BrokerClock.UNKNOWN ? byDeadline : Math.min(byDeadline, end - broker));
    }
}
