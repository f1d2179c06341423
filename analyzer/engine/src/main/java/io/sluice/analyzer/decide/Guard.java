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
 * known yet; so each task has a limit of its own, and when several tasks together enforced too many, the tasks with higher numbers turn
 * their {@link #excess} back into reports.
 */
final class Guard {
    private final int task;
    private final int partitions;
    private final LoadBook loads;
    private PolicySet.Guard bounds = PolicySet.Guard.DEFAULT;
    private List<Policy> policies = List.of();
    private Map<String, ActiveSubjects> active = Map.of();
    /** The newest heartbeat of every other task that has or had counts. */
    private final Map<Integer, AnalyzerHeartbeat> others = new HashMap<>();

    private final Map<Integer, Former> formers = new HashMap<>();

    /** What the other tasks have of each policy: with a thousand of them too much to add up for each subject. */
    private final Map<String, Others> sums = new HashMap<>();

    /**
     * The active subjects of another task's last epoch. Those of a policy count until the task has had time to see them again.
     *
     * @param end when that epoch was found to have ended
     */
    private record Former(Map<String, Integer> active, long end) {}

    /**
     * Sums over the other tasks.
     *
     * @param enforced locks of all of them
     * @param enforcedBefore locks of those with lower numbers
     * @param until when the first {@link Former} in it no longer counts
     */
    private record Others(long active, long enforced, long enforcedBefore, long until) {}

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
        sums.clear();
    }

    /** Records another task's heartbeat. */
    void heard(int other, AnalyzerHeartbeat heartbeat, long now) {
        if (other == task) {
            return;
        }
        AnalyzerHeartbeat known = others.get(other);
        if (known == null
                && heartbeat.active().isEmpty()
                && heartbeat.enforced().isEmpty()) {
            return;
        }
        if (known != null && known.version().epoch() > heartbeat.version().epoch()) {
            return; // from an earlier incarnation that has not stopped yet
        }
        others.put(other, heartbeat);
        sums.clear();
        if (known != null && known.version().epoch() < heartbeat.version().epoch()) {
            Map<String, Integer> active = new HashMap<>(known.active());
            Former former = formers.get(other);
            if (former != null) {
                former.active().forEach((policy, count) -> {
                    if (now < former.end() + settling(policy)) {
                        active.merge(policy, count, Math::max);
                    }
                });
            }
            formers.put(other, new Former(active, now));
        }
    }

    private long settling(String name) {
        return policies.stream()
                .filter(policy -> policy.name().equals(name))
                .mapToLong(Guard::settling)
                .findFirst()
                .orElse(GuardRebalancer.HEARING_MILLIS);
    }

    /** Returns how long a new epoch may take to see all active subjects of a policy. */
    private static long settling(Policy policy) {
        return Math.max(policy.window().millis(), GuardRebalancer.HEARING_MILLIS);
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
        return enforced >= most(bounds, active(policy, time), partitions)
                || enforced + others(policy, time).enforced() >= together(policy, time);
    }

    /** Returns by how many the enforced locks of this task, and of the tasks before it, exceed the limit of a policy. */
    long excess(Policy policy, int enforced, long time) {
        long left = together(policy, time) - others(policy, time).enforcedBefore();
        return Math.max(0, enforced - Math.max(0, left));
    }

    /** Returns how many enforced locks of a policy all tasks together may hold. */
    private long together(Policy policy, long time) {
        long sum = active(policy, time) + others(policy, time).active();
        return most(bounds, Math.max(sum, ActiveTotals.of(loads, policy, time)), 1);
    }

    private Others others(Policy policy, long time) {
        Others known = sums.get(policy.name());
        if (known != null && time < known.until()) {
            return known;
        }
        Others added = added(policy, time);
        sums.put(policy.name(), added);
        return added;
    }

    private Others added(Policy policy, long time) {
        String name = policy.name();
        long active = 0;
        long enforced = 0;
        long enforcedBefore = 0;
        long until = Long.MAX_VALUE;
        for (Map.Entry<Integer, AnalyzerHeartbeat> other : others.entrySet()) {
            int locks = other.getValue().enforced().getOrDefault(name, 0);
            enforced += locks;
            enforcedBefore += other.getKey() < task ? locks : 0;
            int seen = other.getValue().active().getOrDefault(name, 0);
            Former former = formers.get(other.getKey());
            if (former != null && time < former.end() + settling(policy)) {
                seen = Math.max(seen, former.active().getOrDefault(name, 0));
                until = Math.min(until, former.end() + settling(policy));
            }
            active += seen;
        }
        return new Others(active, enforced, enforcedBefore, until);
    }

    static long most(PolicySet.Guard bounds, long active, int partitions) {
        long part = Math.max(bounds.atLeast(), (long) (bounds.subjects() * active));
        long ceiling = (bounds.atMost() + partitions - 1L) / partitions;
        return Math.max(1, Math.min(Math.min(part, active / 2), ceiling));
    }
}
