package io.sluice.analyzer.decide;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.detect.Finding;
import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.policy.Policy;

/** What a finding leads to: a lock, for real or as a report, or a reason why not. */
final class LockOpener {
    /** So many locks of a policy may exist as mere reports of the guard's; more would say nothing new. */
    private static final int MOST_GUARDED = 1000;

    private final LeaseBook book;
    private final Rulebook rules;
    private final Guard guard;
    private final GuardRebalancer rebalancer;
    private final RelockBans bans;
    private final Offenders offenders;
    private final TaskSettings settings;
    private final Counts counts;

    LockOpener(
            LeaseBook book,
            Rulebook rules,
            Guard guard,
            GuardRebalancer rebalancer,
            RelockBans bans,
            Offenders offenders,
            TaskSettings settings,
            Counts counts) {
        this.book = book;
        this.rules = rules;
        this.guard = guard;
        this.rebalancer = rebalancer;
        this.bans = bans;
        this.offenders = offenders;
        this.settings = settings;
        this.counts = counts;
    }

    /** Returns whether the subject's case is settled. */
    boolean finding(Finding finding, long now) {
        Terms terms = rules.terms(finding.rule());
        if (terms == null || past(finding, terms, now)) {
            counts.add(Count.SILENCED);
            return false;
        }
        LeaseKey gate = new LeaseKey(finding.key().policy(), finding.key().subject());
        Lease known = book.lease(gate);
        if (known != null && known.live(now)) {
            rebalancer.armIfRoom(known, now);
        } else if (bans.contains(gate, finding.policy().perNames(), now)) {
            counts.add(Count.FORBIDDEN);
        } else {
            open(finding, terms, now);
        }
        return true;
    }

    /** Whether it happened too long ago to act on, or for all that is known did. */
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
