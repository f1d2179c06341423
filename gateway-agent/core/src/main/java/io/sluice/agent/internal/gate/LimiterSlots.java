package io.sluice.agent.internal.gate;

import io.sluice.contract.policy.Match;
import io.sluice.contract.policy.Policy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Assigns the limiters of a subject to the limits of its policy. All limits that depend on the subject alone have slot 0:
 * each subject falls under one of them. An override that looks at anything else, such as the method, has a slot of its
 * own, because requests of one subject can alternate between its limit and others.
 *
 * <p>An override keeps its slot as long as its {@code match} stays the same, so that a changed rate continues the limiter
 * in use. A slot is never used for another {@code match}: what one override took is not missing from the next. The next
 * sweep drops the limiters of removed overrides, idle or not: no later check can reach them. Immutable.
 *
 * @param last the highest slot that this or any earlier version of the policy used
 */
record LimiterSlots(Map<Match, Integer> byMatch, int last) {
    /** The slot of every limit that depends on the subject alone. */
    static final int SUBJECT = 0;

    /** Before the first version of a policy. */
    static final LimiterSlots NONE = new LimiterSlots(Map.of(), SUBJECT);

    /** Returns the slots of the policy's new version, these being those of the version before. */
    LimiterSlots next(Policy policy) {
        Map<Match, Integer> next = new HashMap<>();
        int highest = last;
        for (Policy.Override override : policy.overrides()) {
            Match match = override.match();
            if (override.limit() != null && !match.decidedBy(policy.per()) && !next.containsKey(match)) {
                Integer known = byMatch.get(match);
                next.put(match, known == null ? ++highest : known);
            }
        }
        return new LimiterSlots(Map.copyOf(next), highest);
    }

    /** Returns the slots in use. */
    Set<Integer> inUse() {
        Set<Integer> slots = new HashSet<>(byMatch.values());
        slots.add(SUBJECT);
        return slots;
    }

    /** Returns the slot of an override's limit. */
    int of(Policy.Override override) {
        return byMatch.getOrDefault(override.match(), SUBJECT);
    }
}
