package io.sluice.analyzer.decide;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.contract.decision.LockTransition;

/** Ends locks and keeps what must outlive them. */
final class LockCloser {
    private final LeaseBook book;
    private final Offenders offenders;
    private final long maxLease;
    private final Counts counts;

    LockCloser(LeaseBook book, Offenders offenders, long maxLease, Counts counts) {
        this.book = book;
        this.offenders = offenders;
        this.maxLease = maxLease;
        this.counts = counts;
    }

    /** Releases a lock before it ends by itself. */
    void release(Lease lease, LockTransition.Cause cause, long now) {
        Lease released = lease.release(now, maxLease);
        offenders.remember(released);
        book.write(released, cause);
        counts.add(Count.RELEASED, lease.key().policy());
    }

    /** Removes a lock that ended by itself: no agent holds its record any more. */
    void expire(Lease lease) {
        offenders.remember(lease);
        book.expire(lease);
        counts.add(Count.EXPIRED, lease.key().policy());
    }

    /** Removes a released lock once no agent can hold its record any more. */
    void tidy(Lease released) {
        book.forget(released);
    }
}
