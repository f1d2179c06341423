package io.sluice.analyzer.decide;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.detect.Detection;
import io.sluice.contract.decision.LockTransition;

/** Renews, rewrites, moves, releases and ends locks as time passes. */
final class LeaseRenewer {
    private final LeaseBook book;
    private final LockCloser closer;
    private final long maxLease;
    private final Counts counts;

    LeaseRenewer(LeaseBook book, LockCloser closer, long maxLease, Counts counts) {
        this.book = book;
        this.closer = closer;
        this.maxLease = maxLease;
        this.counts = counts;
    }

    void look(Lease lease, long now, Demand demand) {
        if (lease.expired(now)) {
            closer.expire(lease);
        } else if (lease.forgettable(now, maxLease)) {
            closer.tidy(lease);
        } else if (lease.live(now) && lease.debt()) {
            debt(lease, now, demand);
        } else if (lease.live(now)) {
            demand(lease, now, demand);
        }
    }

    private void demand(Lease lease, long now, Demand all) {
        double release = lease.terms().release();
        double demand = all.of(lease.key(), lease.threshold());
        if (demand < release) {
            demand = all.onItsWay(lease.key(), lease.threshold());
        }
        Lease current = shedding(lease, all);
        if (demand < release) {
            closer.release(lease, LockTransition.Cause.DEMAND, now);
        } else if (demand > Detection.RENEWS && current.renewable(now)) {
            book.write(current.renew(now, maxLease));
            counts.add(Count.RENEWED, lease.key().policy());
        } else if (current.rewriteDue(now) || Shedding.moved(lease.ratio(), current.ratio())) {
            rewritten(current.rewrite(now, maxLease));
        }
    }

    /** Rejected requests add no debt, so they never renew such a lock. */
    private void debt(Lease lease, long now, Demand demand) {
        double level = demand.debt(lease.key());
        Lease current = shedding(lease, demand);
        if (Repayment.paid(lease, level)) {
            closer.release(lease, LockTransition.Cause.DEBT, now);
            return;
        }
        long last = Repayment.last(lease);
        if (last <= now) {
            // a changed policy has a lower cap
            closer.release(lease, LockTransition.Cause.POLICY, now);
            return;
        }
        long until = Double.isNaN(level) ? Math.min(lease.until(), last) : Repayment.until(lease, level, now);
        if (until > now && Repayment.moved(lease, until, now)) {
            rewritten(current.move(until, now, maxLease));
        } else if (current.rewriteDue(now) || Shedding.moved(lease.ratio(), current.ratio())) {
            rewritten(current.rewrite(now, maxLease));
        }
    }

    /** Returns the lock with the shed ratio that fits the demand; unchanged in other modes and while the demand is unknown. */
    private static Lease shedding(Lease lease, Demand all) {
        double demand = lease.sheds() ? all.excess(lease.key(), lease.threshold()) : Double.NaN;
        return Double.isNaN(demand) ? lease : lease.shedding(Shedding.ratio(demand));
    }

    private void rewritten(Lease lease) {
        book.write(lease);
        counts.add(Count.REWRITTEN);
    }
}
