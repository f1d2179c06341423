package io.sluice.analyzer.decide;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.policy.Policy;
import org.jspecify.annotations.Nullable;

/** Applies changed policies and operators' records to existing locks. */
final class PolicyReconciler {
    private final LeaseBook book;
    private final Rulebook rules;
    private final Guard guard;
    private final GuardRebalancer rebalancer;
    private final OperatorActions operators;
    private final LockCloser closer;
    private final long maxLease;
    private final Counts counts;

    PolicyReconciler(
            LeaseBook book,
            Rulebook rules,
            Guard guard,
            GuardRebalancer rebalancer,
            OperatorActions operators,
            LockCloser closer,
            long maxLease,
            Counts counts) {
        this.book = book;
        this.rules = rules;
        this.guard = guard;
        this.rebalancer = rebalancer;
        this.operators = operators;
        this.closer = closer;
        this.maxLease = maxLease;
        this.counts = counts;
    }

    /** Returns the lease that policies and operators' records allow; {@code null} when they ended it. */
    @Nullable
    Lease revised(Lease lease, long now) {
        if (!lease.live(now)) {
            return lease;
        }
        Terms terms = rules.terms(lease);
        if (!rules.fits(lease)) {
            counts.add(Count.OTHER_SUBJECT);
            return released(lease, LockTransition.Cause.PER, now);
        }
        if (terms == null) {
            return released(lease, LockTransition.Cause.POLICY, now);
        }
        if (operators.released(lease.gate(), lease.per(), now)) {
            return released(lease, LockTransition.Cause.OPERATOR, now);
        }
        if (terms.equals(lease.terms())) {
            return lease;
        }
        if (terms.readsLike(lease.terms())) {
            Lease noted = lease.noting(terms);
            book.keep(noted);
            return noted;
        }
        Lease revised = lease.on(terms, guarded(lease, terms, now), now, maxLease);
        if (revised.enforced() && !lease.enforced()) {
            rebalancer.enforced(revised, now);
        }
        book.write(revised, LockTransition.Event.CHANGED);
        counts.add(Count.REWRITTEN);
        return revised;
    }

    private @Nullable Lease released(Lease lease, LockTransition.Cause cause, long now) {
        closer.release(lease, cause, now);
        return null;
    }

    /** An enforced lock stays enforced; a report needs room in the guard first. */
    private boolean guarded(Lease lease, Terms terms, long now) {
        if (terms.shadow() || lease.enforced()) {
            return false;
        }
        Policy policy = rules.policy(lease.key().policy());
        return lease.guarded() || (policy != null && guard.full(policy, book.enforced(policy.name()), now));
    }
}
