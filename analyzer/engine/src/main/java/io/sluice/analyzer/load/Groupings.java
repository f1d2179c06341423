package io.sluice.analyzer.load;

import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.Window;
import io.sluice.contract.usage.Load;
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
    /** Meters of other processes may learn of the policies so much later. */
    private static final long SPREAD_MILLIS = 2_000;

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

    /**
     * Since when the group's grouping is counted without a break, {@link Long#MIN_VALUE} when no break is known. Its callers were counted
     * meanwhile, so the first pane must be one that all meters counted from its beginning to its end; and a {@link Load} that is a pane behind
     * a subject is asked for a window that begins a pane earlier.
     */
    long since(UsageKey group, Window window) {
        Long time = resumed.isEmpty() ? null : resumed.get(grouping(group));
        return time == null ? Long.MIN_VALUE : (window.paneOf(time + SPREAD_MILLIS) + 2) * window.paneMillis();
    }

    /** Half of a group's key are names. */
    private static UsageKey grouping(UsageKey group) {
        List<String> subject = group.subject();
        return new UsageKey(group.policyRevision(), subject.subList(0, subject.size() / 2));
    }
}
