package io.sluice.analyzer.load;

import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.UsageKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * From when on groups are counted without a break. A policy that loses its share and gets it back is the same revision, so it finds the
 * windows of its groups again, to which nothing was added meanwhile. Each grouping goes by the key of a group without values. One thread.
 */
final class Groupings {
    private final Set<UsageKey> returned = new HashSet<>();
    private final Map<UsageKey, Long> resumed = new HashMap<>();
    private @Nullable Set<UsageKey> asked;

    void policies(PolicySet set) {
        Set<UsageKey> wanted = new HashSet<>();
        for (Policy policy : set.policies()) {
            Group.all(policy).forEach(group -> wanted.add(group.key(List.of())));
        }
        // the first policies of a life are those of the last one, as a rule: its windows go on
        if (asked != null) {
            Set<UsageKey> back = new HashSet<>(wanted);
            back.removeAll(asked);
            returned.addAll(back);
            resumed.keySet().removeAll(back);
        }
        returned.retainAll(wanted);
        resumed.keySet().retainAll(wanted);
        asked = wanted;
    }

    /** A part of a group's load has come that is of this time at the earliest. */
    void counted(UsageKey group, long time) {
        if (!returned.isEmpty()) {
            UsageKey grouping = grouping(group);
            if (returned.remove(grouping)) {
                resumed.put(grouping, time);
            }
        }
    }

    /** Since when the group's grouping is counted without a break, {@link Long#MIN_VALUE} when no break is known. */
    long since(UsageKey group) {
        return resumed.isEmpty() ? Long.MIN_VALUE : resumed.getOrDefault(grouping(group), Long.MIN_VALUE);
    }

    /** Half of a group's key are names. */
    private static UsageKey grouping(UsageKey group) {
        List<String> subject = group.subject();
        return new UsageKey(group.policyRevision(), subject.subList(0, subject.size() / 2));
    }
}
