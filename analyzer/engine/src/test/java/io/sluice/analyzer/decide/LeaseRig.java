package io.sluice.analyzer.decide;

import io.sluice.analyzer.Counts;
import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.detect.Finding;
import io.sluice.analyzer.detect.Threshold;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Version;
import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.UsageKey;
import java.util.ArrayList;
import java.util.List;

/** Leases alone: what is found and what is demanded is said by hand, whatever they say is written down. */
final class LeaseRig implements Demand {
    static final long TIME = Rig.TIME;

    final Counts counts = new Counts();
    final List<GateLock> said = new ArrayList<>();
    final LeaseStore store;
    final Leases leases;
    double demand = Double.NaN;
    double debt = Double.NaN;
    private final Guard guard = new Guard(0, 1, new LoadBook(TestBudgets.heap()));
    private Policy policy;
    private long seq;

    LeaseRig(PolicySet set) {
        this(set, new InMemoryLeaseStore());
    }

    /** Leases that find the state of others. */
    LeaseRig(PolicySet set, LeaseStore store) {
        this.store = store;
        LockSink sink = new LockSink() {
            @Override
            public void lock(GateLock lock) {
                said.add(lock);
            }

            @Override
            public void tombstone(String policy, List<String> subject) {}
        };
        LeaseBook book = new LeaseBook(store, sink, TestBudgets.task(), () -> new Version("decide-0", 1, seq++));
        leases = new Leases(book, store, guard, TaskSettings.of(0, 1, 1), counts);
        leases.restore();
        policies(set);
    }

    void policies(PolicySet set) {
        policy = set.policies().get(0);
        guard.policies(set);
        leases.policies(set);
    }

    /** A caller is seen to have used so much. */
    LeaseRig over(String caller, double observed, long crossed, long now) {
        LockRule rule = policy.lock();
        double most = ((Condition.Above) rule.when().get(0)).threshold();
        String detector = rule.debt() ? Threshold.DEBT : Threshold.ABOVE;
        Threshold threshold = new Threshold(detector, most, most, null, 1, List.of());
        UsageKey key = new UsageKey(policy.revision(), List.of(caller));
        leases.finding(new Finding(key, policy, rule, threshold, observed, observed, 0, crossed), now);
        return this;
    }

    LeaseRig over(String caller, double observed, long now) {
        return over(caller, observed, now, now);
    }

    LeaseRig look(long now) {
        leases.tick(now, this);
        return this;
    }

    GateLock last() {
        return said.get(said.size() - 1);
    }

    /** How long the last record's lock is meant to last. */
    long length() {
        return last().until() - last().since();
    }

    @Override
    public double of(UsageKey key, Threshold threshold) {
        return demand;
    }

    @Override
    public double onItsWay(UsageKey key, Threshold threshold) {
        return demand;
    }

    @Override
    public double excess(UsageKey key, Threshold threshold) {
        return demand;
    }

    @Override
    public double debt(UsageKey key) {
        return debt;
    }
}
