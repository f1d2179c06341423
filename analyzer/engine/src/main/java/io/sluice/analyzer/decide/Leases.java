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
 * The life cycle of a task's gate locks: {@link LockOpener} handles findings; each pass runs {@link PolicyReconciler}, if policies or
 * operators' records have changed, and {@link LeaseRenewer}; {@link LockCloser} ends locks. Confined to one thread. Times are broker time.
 */
final class Leases {
    private static final long LOOK_MILLIS = 250;
    /** A lock takes some microseconds: more of them would hold up the thread. The others follow at the next tick. */
    private static final int MOST_AT_ONCE = 1_000;

    private final LeaseBook book;
    private final Rulebook rules = new Rulebook();
    private final OperatorActions operators = new OperatorActions();
    private final Offenders offenders;
    private final LockOpener opener;
    private final PolicyReconciler reconciler;
    private final LeaseRenewer renewer;
    private final GuardRebalancer rebalancer;
    private final long maxLease;
    private final Counts counts;

    private boolean changed;
    /** The locks that are left of the current pass. */
    private Iterator<Lease> looking = Collections.emptyIterator();

    private long looked = BrokerClock.UNKNOWN;
    private long ticked = BrokerClock.UNKNOWN;

    Leases(LeaseBook book, LeaseStore store, Guard guard, TaskSettings settings, Counts counts) {
        this.book = book;
        this.counts = counts;
        maxLease = settings.maxLease();
        offenders = new Offenders(store);
        LockCloser closer = new LockCloser(book, offenders, maxLease, counts);
        rebalancer = new GuardRebalancer(book, rules, guard, maxLease, counts);
        opener = new LockOpener(book, rules, guard, rebalancer, operators, closer, offenders, settings, counts);
        reconciler = new PolicyReconciler(book, rules, guard, rebalancer, operators, closer, maxLease, counts);
        renewer = new LeaseRenewer(book, closer, maxLease, counts);
    }

    /** Restores the leases of the last epoch. */
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
        operators.accept(said, appended);
        changed = true;
    }

    void operatorGone(String policy, List<String> subject) {
        operators.forget(policy, subject);
    }

    /** Handles a finding; returns whether the subject needs no further look for now. */
    boolean finding(Finding finding, long now) {
        return opener.finding(finding, now);
    }

    /** Returns whether a subject is locked, by an operator or reports included. */
    boolean locked(UsageKey key) {
        LeaseKey gate = new LeaseKey(key.policy(), key.subject());
        Lease lease = book.lease(gate);
        return (lease != null && !lease.released()) || operators.locked(gate, ticked);
    }

    /** Runs a pass over the locks, or a part of it, when one is due. */
    void tick(long now, Demand demand) {
        if (now == BrokerClock.UNKNOWN) {
            return;
        }
        ticked = now;
        if (!changed && (looking.hasNext() || (now >= looked && now < looked + LOOK_MILLIS))) {
            look(now, demand, MOST_AT_ONCE);
            return;
        }
        looking = book.all().iterator();
        look(now, demand, changed ? Integer.MAX_VALUE : MOST_AT_ONCE);
        rebalancer.look(now, demand);
        operators.sweep(now);
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

    /** Returns when time alone may change a lock, {@link Long#MAX_VALUE} for never. */
    long nextDue(long now) {
        long first = book.firstRelease();
        long tidied = first == Long.MAX_VALUE ? first : first + maxLease;
        return book.unreleased() == 0 ? tidied : Math.min(tidied, Math.max(now, looked) + LOOK_MILLIS);
    }

    /** Discards all state in heap. */
    void discard() {
        book.discard();
        looking = Collections.emptyIterator();
        offenders.discard();
    }
}
