package io.sluice.analyzer.decide;

import io.sluice.analyzer.load.ActiveSubjects;
import io.sluice.analyzer.load.ActiveTotals;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Limits the enforced locks of a policy, so that a mistaken one cannot lock all callers. The limit follows from the subjects that are active
 * on this task and on the other tasks, which report them in heartbeats. Locks that others opened within the last second or two are not
 * known yet; so each task has a limit of its own for locks that the others may not have {@link HeardLocks heard of}, and when several tasks together
 * enforced too many, the tasks with higher numbers turn their {@link #excess} back into reports.
 */
final class Guard {
    private final int task;
    private final int partitions;
    private final LoadBook loads;
    private PolicySet.Guard bounds = PolicySet.Guard.DEFAULT;
    private List<Policy> policies = List.of();
    private Map<String, ActiveSubjects> active = Map.of();
    private FleetCounts.Snapshot fleet = FleetCounts.Snapshot.EMPTY;
    private final HeardLocks heard = new HeardLocks();

    /** @param loads has the numbers of active subjects in the whole fleet, where quiet subjects are held back */
    Guard(int task, int partitions, LoadBook loads) {
        this.task = task;
        this.partitions = partitions;
        this.loads = loads;
    }

    void policies(PolicySet set) {
        bounds = set.guard();
        Map<String, ActiveSubjects> kept = new HashMap<>();
        for (Policy policy : set.policies()) {
            ActiveSubjects known = active.get(policy.revision());
            kept.put(
                    policy.revision(),
                    known != null ? known : new ActiveSubjects(policy.window().millis()));
        }
        active = kept;
        policies = set.policies();
    }

    /** Takes the counts of all tasks; those of this one don't matter. */
    void fleet(FleetCounts.Snapshot newest) {
        fleet = newest;
    }

    /** Takes a heartbeat of this task. */
    void sends(AnalyzerHeartbeat heartbeat, long time) {
        heard.report(heartbeat, time);
    }

    /** Counts an admitted subject as active. */
    void seen(String revision, List<String> subject, long time) {
        ActiveSubjects subjects = active.get(revision);
        if (subjects != null) {
            subjects.seen(subject, time);
        }
    }

    /** Returns the estimated number of active subjects of each policy on this task. */
    Map<String, Integer> active(long time) {
        Map<String, Integer> counts = new HashMap<>();
        for (Policy policy : policies) {
            long count = active(policy, time);
            if (count > 0) {
                counts.put(policy.name(), (int) Math.min(count, Integer.MAX_VALUE));
            }
        }
        return counts;
    }

    private long active(Policy policy, long time) {
        ActiveSubjects subjects = active.get(policy.revision());
        long own = subjects == null ? 0 : subjects.count(time);
        return Math.max(own, ActiveTotals.of(loads, policy, time) / partitions);
    }

    /** Returns whether no further lock of a policy may be enforced. */
    boolean full(Policy policy, int enforced, long time) {
        return enforced - heard.of(policy.name(), time) >= most(bounds, active(policy, time), partitions)
                || enforced + others(policy).enforced() >= together(policy, time);
    }

    /** Returns by how many the enforced locks of this task, and of the tasks before it, exceed the limit of a policy. */
    long excess(Policy policy, int enforced, long time) {
        long left = together(policy, time) - others(policy).enforcedBefore();
        return Math.max(0, enforced - Math.max(0, left));
    }

    /** Returns how many enforced locks of a policy all tasks together may hold. */
    private long together(Policy policy, long time) {
        long sum = active(policy, time) + others(policy).active();
        return most(bounds, Math.max(sum, ActiveTotals.of(loads, policy, time)), 1);
    }

    private FleetCounts.Others others(Policy policy) {
        return fleet.others(policy.name(), task);
    }

    static long most(PolicySet.Guard bounds, long active, int partitions) {
        long part = Math.max(bounds.atLeast(), (long) (bounds.subjects() * active));
        long ceiling = (bounds.atMost() + partitions - 1L) / partitions;
        return Math.max(1, Math.min(Math.min(part, active / 2), ceiling));
    }
}
