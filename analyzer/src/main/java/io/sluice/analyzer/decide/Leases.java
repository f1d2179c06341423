package io.sluice.analyzer.decide;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.detect.Finding;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.UsageKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The life cycle of a task's gate locks: opens them on findings, and at each look renews, releases, rewrites and ends
 * them. One thread. All times are broker time.
 */
final class Leases {
    private static final long LOOK_MILLIS = 250;
    /** Demand over this part of the threshold prolongs a lock. */
    private static final double RENEW = 0.8;
    /** So many locks of a policy may exist as mere reports of the guard's; more would say nothing new. */
    private static final int MOST_GUARDED = 1000;

    private final LeaseBook book;
    private final Guard guard;
    private final Forbidden forbidden = new Forbidden();
    private final long backlogMillis;
    private final long maxLease;
    private final Counts counts;
    private @Nullable PolicySet policies;
    /** Policies that count by other attributes than before: what their older locks name is another subject now. */
    private final Set<String> reshaped = new HashSet<>();

    private boolean changed;
    private long looked = BrokerClock.UNKNOWN;

    Leases(LeaseBook book, Guard guard, long backlogMillis, long maxLease, Counts counts) {
        this.book = book;
        this.guard = guard;
        this.backlogMillis = backlogMillis;
        this.maxLease = maxLease;
        this.counts = counts;
    }

    void policies(PolicySet set) {
        for (Policy policy : set.policies()) {
            Policy before = policy(policy.name());
            if (before != null && !before.per().equals(policy.per())) {
                reshaped.add(policy.name());
            }
        }
        policies = set;
        changed = true;
    }

    void operator(OperatorRecord said, long appended) {
        forbidden.accept(said, appended);
        changed = true;
    }

    void operatorGone(String policy, List<String> subject) {
        forbidden.forget(policy, subject);
    }

    /** What a finding leads to; returns whether the subject's case is settled. */
    boolean finding(Finding finding, long now) {
        PolicySet set = policies;
        if (set == null || now == BrokerClock.UNKNOWN || finding.crossed() < now - backlogMillis) {
            counts.add(Count.SILENCED);
            return false;
        }
        LeaseKey gate = new LeaseKey(finding.key().policy(), finding.key().subject());
        Lease known = book.lease(gate);
        if (known != null && known.live(now)) {
            arm(known, now);
            return true;
        }
        if (forbidden.contains(gate, now)) {
            counts.add(Count.FORBIDDEN);
            return true;
        }
        Terms terms = Terms.of(finding.rule(), set.enforce());
        boolean guarded = !terms.shadow() && full(finding.policy(), now);
        if (guarded) {
            counts.add(Count.GUARDED);
            if (book.guarded(gate.policy()) >= MOST_GUARDED) {
                return true;
            }
        }
        book.write(Lease.open(finding, terms, guarded, now, maxLease));
        counts.add(Count.OPENED);
        return true;
    }

    /** Whether a subject's gate is locked, be it in earnest or not. */
    boolean locked(UsageKey key) {
        Lease lease = book.lease(new LeaseKey(key.policy(), key.subject()));
        return lease != null && !lease.released();
    }

    private boolean full(Policy policy, long now) {
        return book.enforced(policy.name()) >= guard.most(policy.revision(), now);
    }

    /** Turns a lock that the guard made a shadow into a real one as soon as there is room. */
    private void arm(Lease lease, long now) {
        Policy policy = lease.guarded() ? policy(lease.key().policy()) : null;
        if (policy != null && !full(policy, now)) {
            book.write(lease.on(lease.terms(), false, now, maxLease));
            counts.add(Count.REWRITTEN);
        }
    }

    private @Nullable Policy policy(String name) {
        if (policies != null) {
            for (Policy policy : policies.policies()) {
                if (policy.name().equals(name)) {
                    return policy;
                }
            }
        }
        return null;
    }

    /** Looks after the locks, when it is time. */
    void tick(long now, Demand demand) {
        if (now == BrokerClock.UNKNOWN || (!changed && now >= looked && now < looked + LOOK_MILLIS)) {
            return;
        }
        for (Lease lease : book.all()) {
            Lease current = changed ? revised(lease, now) : lease;
            if (current != null) {
                look(current, now, demand);
            }
        }
        forbidden.sweep(now);
        looked = now;
        reshaped.clear();
        changed = false;
    }

    /** The lease after what policies and operators say now, {@code null} when that ended it. */
    private @Nullable Lease revised(Lease lease, long now) {
        if (!lease.live(now)) {
            return lease;
        }
        Terms terms = terms(lease);
        if (terms == null || forbidden.contains(lease.gate(), now)) {
            release(lease, now);
            return null;
        }
        if (terms.equals(lease.terms())) {
            return lease;
        }
        boolean same = terms.mode() == lease.terms().mode()
                && terms.rate() == lease.terms().rate()
                && terms.shadow() == lease.terms().shadow();
        if (same) {
            Lease noted = lease.noting(terms);
            book.keep(noted);
            return noted;
        }
        Policy policy = policy(lease.key().policy());
        boolean guarded =
                !terms.shadow() && (lease.guarded() || (lease.terms().shadow() && policy != null && full(policy, now)));
        Lease revised = lease.on(terms, guarded, now, maxLease);
        book.write(revised);
        counts.add(Count.REWRITTEN);
        return revised;
    }

    /** What the policies say about a lease now; {@code null} when they no longer lock its subject. */
    private @Nullable Terms terms(Lease lease) {
        if (policies == null) {
            return lease.terms();
        }
        Policy policy = policy(lease.key().policy());
        if (policy == null || policy.per().size() != lease.key().subject().size() || reshaped(policy, lease)) {
            return null;
        }
        LockRule rule = policy.lockFor(lease.key().subject());
        return rule == null ? null : Terms.of(rule, policies.enforce());
    }

    private boolean reshaped(Policy policy, Lease lease) {
        return reshaped.contains(policy.name()) && !lease.key().policyRevision().equals(policy.revision());
    }

    private void look(Lease lease, long now, Demand demand) {
        if (lease.expired(now)) {
            book.forget(lease);
            counts.add(Count.EXPIRED);
        } else if (lease.forgettable(now, maxLease)) {
            book.forget(lease);
        } else if (lease.live(now)) {
            attend(lease, now, demand.of(lease.key(), lease.threshold()));
        }
    }

    private void attend(Lease lease, long now, double demand) {
        if (demand < lease.terms().release()) {
            release(lease, now);
        } else if (demand > RENEW && lease.renewable(now, maxLease)) {
            book.write(lease.renew(now, maxLease));
            counts.add(Count.RENEWED);
        } else if (lease.rewriteDue(now)) {
            book.write(lease.rewrite(now, maxLease));
            counts.add(Count.REWRITTEN);
        }
    }

    private void release(Lease lease, long now) {
        book.write(lease.release(now, maxLease));
        counts.add(Count.RELEASED);
    }

    /** When the passing of time alone may change something, {@link Long#MAX_VALUE} for never. */
    long nextDue(long now) {
        long due = Long.MAX_VALUE;
        for (Lease lease : book.all()) {
            due = Math.min(due, lease.released() ? lease.until() + maxLease : Math.max(now, looked) + LOOK_MILLIS);
        }
        return due;
    }
}
