package io.sluice.analyzer.decide;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.policy.Policy;
import java.util.Comparator;
import java.util.List;

/**
 * Turns locks into reports that several tasks opened before they could hear of each other, and that together are more than
 * the guard allows: the newest first, and none that has stood for longer than that takes, or since before the task began, for then it has not seen
 * its subjects yet.
 */
final class Yielding {
    /** Heartbeats come each second and take a moment; a few may be missed. */
    static final long HEARING_MILLIS = 5_000;

    private final LeaseBook book;
    private final Rulebook rules;
    private final Guard guard;
    private final long maxLease;
    private final Counts counts;
    private long begun = BrokerClock.UNKNOWN;

    Yielding(LeaseBook book, Rulebook rules, Guard guard, long maxLease, Counts counts) {
        this.book = book;
        this.rules = rules;
        this.guard = guard;
        this.maxLease = maxLease;
        this.counts = counts;
    }

    /** The task begins a new life. */
    void begin() {
        begun = BrokerClock.UNKNOWN;
    }

    void look(long now) {
        if (begun == BrokerClock.UNKNOWN) {
            begun = now;
        }
        for (Policy policy : rules.policies()) {
            int enforced = book.enforced(policy.name());
            long excess = enforced == 0 ? 0 : guard.excess(policy, enforced, now);
            if (excess > 0) {
                newest(policy, now).stream().limit(excess).forEach(lease -> giveBack(lease, now));
            }
        }
    }

    private List<Lease> newest(Policy policy, long now) {
        return book.all().stream()
                .filter(lease -> lease.key().policy().equals(policy.name()))
                .filter(lease -> lease.live(now)
                        && lease.enforced()
                        && lease.since() >= Math.max(begun, now - HEARING_MILLIS + 1))
                .sorted(Comparator.comparingLong(Lease::since).reversed())
                .toList();
    }

    private void giveBack(Lease lease, long now) {
        book.write(lease.guard(now, maxLease), LockTransition.Event.GUARDED);
        counts.add(Count.GUARDED, lease.key().policy());
    }
}
