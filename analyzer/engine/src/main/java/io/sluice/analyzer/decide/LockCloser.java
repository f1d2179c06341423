package io.sluice.analyzer.decide;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.contract.decision.LockTransition;

/** How locks end, and what stays of them. */
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

    /** Opens the gate before its time. */
    void release(Lease lease, LockTransition.Cause cause, long now) {
        Lease released = lease.release(now, maxLease);
        offenders.remember(released);
        book.write(released, cause);
        counts.add(Count.RELEASED, lease.key().policy());
    }

    /** A lock is over by itself: no agent holds its record any longer. */
    void expire(Lease lease) {
        offenders.remember(lease);
        book.expire(lease);
        counts.add(Count.EXPIRED, lease.key().policy());
    }

    /** A release has nothing left to undo. */
    void tidy(Lease released) {
        book.forget(released);
    }
}
