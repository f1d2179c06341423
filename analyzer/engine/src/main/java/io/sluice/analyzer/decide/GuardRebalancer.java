package io.sluice.analyzer.decide;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.policy.Policy;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Keeps the enforced locks of each policy within the {@link Guard}, as its room changes. Where several tasks enforced more
 * than it allows before they had each other's heartbeats, it turns the newest back into reports. It spares locks that have been
 * enforced for longer than that takes, or since before the task began, which has not seen its subjects yet. Where there is
 * room again, it enforces the reports of the guard that are still over, the oldest first. One thread.
 */
final class GuardRebalancer {
    /** Heartbeats are sent every second and take a moment to arrive; a few may be lost. */
    static final long HEARING_MILLIS = 5_000;

    private final LeaseBook book;
    private final Rulebook rules;
    private final Guard guard;
    private final long maxLease;
    private final Counts counts;
    /** The broker time at which locks were enforced, for as long as that may be undone. */
    private final Map<LeaseKey, Long> armed = new HashMap<>();

    private long begun = BrokerClock.UNKNOWN;

    GuardRebalancer(LeaseBook book, Rulebook rules, Guard guard, long maxLease, Counts counts) {
        this.book = book;
        this.rules = rules;
        this.guard = guard;
        this.maxLease = maxLease;
        this.counts = counts;
    }

    /** Resets for a new epoch. */
    void begin() {
        begun = BrokerClock.UNKNOWN;
        armed.clear();
    }

    /** Turns excess enforced locks into reports, or enforces reports that there is room for. */
    void look(long now, Demand demand) {
        if (begun == BrokerClock.UNKNOWN) {
            begun = now;
        }
        armed.values().removeIf(at -> at <= now - HEARING_MILLIS);
        for (Policy policy : rules.policies()) {
            int enforced = book.enforced(policy.name());
            long excess = enforced == 0 ? 0 : guard.excess(policy, enforced, now);
            if (excess > 0) {
                newest(policy, now).stream().limit(excess).forEach(lease -> giveBack(lease, now));
            } else if (book.guarded(policy.name()) > 0 && room(policy, now)) {
                waiting(policy, now, demand)
                        .takeWhile(lease -> room(policy, now))
                        .forEach(lease -> arm(lease, now));
            }
        }
    }

    /** Enforces a lock that only the guard keeps from it, if there is room. */
    void armIfRoom(Lease lease, long now) {
        Policy policy = lease.guarded() ? rules.policy(lease.key().policy()) : null;
        if (policy != null && room(policy, now)) {
            arm(lease, now);
        }
    }

    /** Notes that the policy of a reporting lock enforces it from now on. Other tasks may do the same with theirs until they hear of this one. */
    void enforced(Lease lease, long now) {
        armed.put(lease.gate(), now);
    }

    private void arm(Lease lease, long now) {
        enforced(lease, now);
        book.write(lease.arm(now, maxLease), LockTransition.Event.ARMED);
        counts.add(Count.REWRITTEN);
    }

    private boolean room(Policy policy, long now) {
        return !guard.full(policy, book.enforced(policy.name()), now);
    }

    private Stream<Lease> waiting(Policy policy, long now, Demand demand) {
        return of(policy)
                .filter(lease -> lease.guarded() && lease.live(now) && over(lease, demand))
                .sorted(Comparator.comparingLong(Lease::since));
    }

    /** Returns whether the subject is over its threshold; false when that is unknown. */
    private static boolean over(Lease lease, Demand demand) {
        return lease.debt()
                ? demand.debt(lease.key())
                        > lease.terms().release() * lease.threshold().sum()
                : demand.of(lease.key(), lease.threshold()) > 1;
    }

    private List<Lease> newest(Policy policy, long now) {
        return of(policy)
                .filter(lease -> lease.live(now)
                        && lease.enforced()
                        && enforcedSince(lease) >= Math.max(begun, now - HEARING_MILLIS + 1))
                .sorted(Comparator.comparingLong(this::enforcedSince).reversed())
                .toList();
    }

    private long enforcedSince(Lease lease) {
        return armed.getOrDefault(lease.gate(), lease.since());
    }

    private Stream<Lease> of(Policy policy) {
        return book.all().stream().filter(lease -> lease.key().policy().equals(policy.name()));
    }

    private void giveBack(Lease lease, long now) {
        armed.remove(lease.gate());
        book.write(lease.guard(now, maxLease), LockTransition.Event.GUARDED);
        counts.add(Count.GUARDED, lease.key().policy());
    }
}
