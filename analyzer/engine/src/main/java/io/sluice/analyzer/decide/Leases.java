package io.sluice.analyzer.decide;

import io.sluice.analyzer.Counts;
import io.sluice.analyzer.detect.Finding;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.UsageKey;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * The life cycle of a task's gate locks: {@link LockOpener} on findings; at each look {@link PolicyReconciler} when policies or
 * operators have spoken, {@link LeaseRenewer} always, and {@link LockCloser}. One thread. All times are broker time.
 */
final class Leases {
    private static final long LOOK_MILLIS = 250;
    /** A look takes some microseconds: more of them would hold up the thread. The others follow at the next tick. */
    private static final int MOST_AT_ONCE = 1_000;

    private final LeaseBook book;
    private final Rulebook rules = new Rulebook();
    private final RelockBans bans = new RelockBans();
    private final Offenders offenders;
    private final LockOpener opener;
    private final PolicyReconciler reconciler;
    private final LeaseRenewer renewer;
    private final GuardRebalancer rebalancer;
    private final long maxLease;
    private final Counts counts;

    private boolean changed;
    /** The rest of those that a look began with. */
    private Iterator<Lease> looking = Collections.emptyIterator();

    private long looked = BrokerClock.UNKNOWN;

    Leases(LeaseBook book, LeaseStore store, Guard guard, TaskSettings settings, Counts counts) {
        this.book = book;
        this.counts = counts;
        maxLease = settings.maxLease();
        offenders = new Offenders(store);
        LockCloser closer = new LockCloser(book, offenders, maxLease, counts);
        rebalancer = new GuardRebalancer(book, rules, guard, maxLease, counts);
        opener = new LockOpener(book, rules, guard, rebalancer, bans, offenders, settings, counts);
        reconciler = new PolicyReconciler(book, rules, guard, bans, closer, maxLease, counts);
        renewer = new LeaseRenewer(book, closer, maxLease, counts);
    }

    /** Takes over what an earlier life left. */
    void restore() {
        book.restore(counts);
        offenders.restore(counts);
        rebalancer.begin();
    }

    void policies(PolicySet set) {
        rules.policies(set);
        changed = true;
    }

    void operator(OperatorRecord said, long appended) {
        bans.accept(said, appended);
        changed = true;
    }

    void operatorGone(String policy, List<String> subject) {
        bans.forget(policy, subject);
    }

    /** What a finding leads to; returns whether the subject's case is settled. */
    boolean finding(Finding finding, long now) {
        return opener.finding(finding, now);
    }

    /** Whether a subject is locked, if only by a report; as of the last look. */
    boolean locked(UsageKey key) {
        Lease lease = book.lease(new LeaseKey(key.policy(), key.subject()));
        return lease != null && !lease.released();
    }

    /** Looks after the locks, when it is time. */
    void tick(long now, Demand demand) {
        if (now == BrokerClock.UNKNOWN) {
            return;
        }
        if (!changed && (looking.hasNext() || (now >= looked && now < looked + LOOK_MILLIS))) {
            look(now, demand, MOST_AT_ONCE);
            return;
        }
        looking = book.all().iterator();
        look(now, demand, changed ? Integer.MAX_VALUE : MOST_AT_ONCE);
        rebalancer.look(now, demand);
        bans.sweep(now);
        offenders.sweep(now);
        looked = now;
        rules.settled();
        changed = false;
    }

    private void look(long now, Demand demand, int most) {
        for (int i = 0; i < most && looking.hasNext(); i++) {
            Lease lease = looking.next();
            // it may have been written or removed since the look began
            Lease current = book.lease(lease.gate());
            if (current != null && changed) {
                current = reconciler.revised(current, now);
            }
            if (current != null) {
                renewer.look(current, now, demand);
            }
        }
    }

    /** When the passing of time alone may change something, {@link Long#MAX_VALUE} for never. */
    long nextDue(long now) {
        long due = Long.MAX_VALUE;
        for (Lease lease : book.all()) {
            due = Math.min(due, lease.released() ? lease.until() + maxLease : Math.max(now, looked) + LOOK_MILLIS);
        }
        return due;
    }

    /** Forgets all that is in heap. */
    void discard() {
        book.discard();
        looking = Collections.emptyIterator();
        offenders.discard();
    }
}
