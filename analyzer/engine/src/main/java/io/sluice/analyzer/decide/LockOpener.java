package io.sluice.analyzer.decide;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.detect.Finding;
import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.policy.Policy;

/** Opens locks for findings, enforced or as reports, and counts the findings that open none. */
final class LockOpener {
    /** The most reports per policy that exist only because of the guard; more would add no information. */
    private static final int MOST_GUARDED = 1000;

    private final LeaseBook book;
    private final Rulebook rules;
    private final Guard guard;
    private final GuardRebalancer rebalancer;
    private final OperatorActions operators;
    private final LockCloser closer;
    private final Offenders offenders;
    private final TaskSettings settings;
    private final Counts counts;

    LockOpener(
            LeaseBook book,
            Rulebook rules,
            Guard guard,
            GuardRebalancer rebalancer,
            OperatorActions operators,
            LockCloser closer,
            Offenders offenders,
            TaskSettings settings,
            Counts counts) {
        this.book = book;
        this.rules = rules;
        this.guard = guard;
        this.rebalancer = rebalancer;
        this.operators = operators;
        this.closer = closer;
        this.offenders = offenders;
        this.settings = settings;
        this.counts = counts;
    }

    /** Handles a finding; returns whether the subject needs no further look for now. */
    boolean finding(Finding finding, long now) {
        Terms terms = rules.terms(finding.rule());
        if (terms == null || past(finding, terms, now)) {
            counts.add(Count.SILENCED);
            return false;
        }
        LeaseKey gate = new LeaseKey(finding.key().policy(), finding.key().subject());
        Lease known = book.lease(gate);
        if (known != null && known.expired(now)) {
            // ended since the last look at all leases: the next one is a repeat
            closer.expire(known);
        }
        if (known != null && known.live(now)) {
            rebalancer.armIfRoom(known, now);
        } else if (operators.released(gate, finding.policy().perNames(), now)) {
            counts.add(Count.FORBIDDEN);
        } else {
            open(finding, terms, now);
        }
        return true;
    }

    /** Returns whether the finding is, or may be, too old to act on. */
    private boolean past(Finding finding, Terms terms, long now) {
        return now == BrokerClock.UNKNOWN
                || finding.crossed() < now - settings.backlog()
                || (terms.length().debt() && Repayment.until(finding, terms, now) <= now);
    }

    private void open(Finding finding, Terms terms, long now) {
        Policy policy = finding.policy();
        boolean guarded = !terms.shadow() && guard.full(policy, book.enforced(policy.name()), now);
        if (guarded) {
            counts.add(Count.GUARDED, policy.name());
            if (book.guarded(policy.name()) >= MOST_GUARDED) {
                return;
            }
        }
        int level = terms.length().escalates() ? offenders.level(finding.key(), now) + 1 : 1;
        Lease opened = Lease.open(finding, terms, level, guarded, now, settings.maxLease());
        if (!book.hasRoom(opened)) {
            counts.add(Count.NO_ROOM, LeaseBook.account(opened).label());
            return;
        }
        book.write(opened, guarded ? LockTransition.Event.GUARDED : LockTransition.Event.OPENED);
        counts.add(Count.OPENED, policy.name());
    }
}
