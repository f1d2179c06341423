package io.sluice.analyzer.decide;

import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps a mistaken policy from closing the gate of everybody: how many enforced locks of a policy one task may hold, by
 * the subjects that are active on this task.
 */
final class Guard {
    private final int partitions;
    private PolicySet.Guard bounds = PolicySet.Guard.DEFAULT;
    private Map<String, ActiveSubjects> active = Map.of();

    Guard(int partitions) {
        this.partitions = partitions;
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
    }

    /** A subject was admitted. */
    void seen(String revision, List<String> subject, long time) {
        ActiveSubjects subjects = active.get(revision);
        if (subjects != null) {
            subjects.seen(subject, time);
        }
    }

    /** Whether no more locks of a policy may be enforced than there are. */
    boolean full(Policy policy, int enforced, long time) {
        return enforced >= most(policy.revision(), time);
    }

    /** How many enforced locks of a policy may be held. */
    private long most(String revision, long time) {
        ActiveSubjects subjects = active.get(revision);
        return most(bounds, subjects == null ? 0 : subjects.count(time), partitions);
    }

    static long most(PolicySet.Guard bounds, long active, int partitions) {
        long part = Math.max(bounds.atLeast(), (long) (bounds.subjects() * active));
        long ceiling = (bounds.atMost() + partitions - 1L) / partitions;
        return Math.max(1, Math.min(Math.min(part, active / 2), ceiling));
    }
}
