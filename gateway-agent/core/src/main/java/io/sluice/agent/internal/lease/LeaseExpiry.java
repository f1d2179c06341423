package io.sluice.agent.internal.lease;

import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.LockValidity;
import org.jspecify.annotations.Nullable;

/**
 * The end of a decision: the end of its lease by broker time, and at the latest the lease's length after its arrival, in case broker time stands
 * still. Immutable.
 *
 * @param clock the clock of the record's partition
 * @param end broker time of the end, epoch milliseconds
 * @param deadline monotonic nanoseconds of the latest end
 */
public record LeaseExpiry(BrokerClock clock, long end, long deadline) {

    /**
     * Returns the expiry of a gate lock.
     *
     * @param append when the broker appended the record
     * @param arrived monotonic nanoseconds
     */
    public static LeaseExpiry capped(BrokerClock clock, long append, long ttlMillis, long maxLease, long arrived) {
        long length = Math.min(ttlMillis, maxLease);
        return new LeaseExpiry(clock, append + length, arrived + length * 1_000_000);
    }

    /** Returns the expiry of an operator's record. */
    public static LeaseExpiry operator(BrokerClock clock, long append, long ttlMillis, long arrived) {
        long end = LockValidity.operatorEnd(ttlMillis, append);
        return new LeaseExpiry(clock, end, arrived + (end - append) * 1_000_000);
    }

    /**
     * Returns this expiry, with the deadline of {@code known} if that is earlier and both end at the same broker time: a record that is read again does
     * not hold longer.
     */
    public LeaseExpiry cappedBy(@Nullable LeaseExpiry known) {
        return known != null && known.clock == clock && known.end == end && known.deadline < deadline ? known : this;
    }

    /** Returns whether it has expired at the monotonic time {@code now}. */
    public boolean expired(long now) {
        return now >= deadline || clock.now(now) >= end;
    }

    /** Returns the milliseconds left, 0 when it has expired. */
    public long left(long now) {
        long byDeadline = (deadline - now) / 1_000_000;
        long broker = clock.now(now);
        return Math.max(0, broker == BrokerClock.UNKNOWN ? byDeadline : Math.min(byDeadline, end - broker));
    }
}
