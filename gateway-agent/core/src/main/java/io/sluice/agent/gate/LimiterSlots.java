package io.sluice.agent.gate;

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
 * in use. Slots of removed overrides are used again: a subject never has more slots than its policy had overrides at
 * once. Immutable.
 */
record LimiterSlots(Map<Match, Integer> byMatch) {
    /** The slot of every limit that depends on the subject alone. */
    static final int SUBJECT = 0;

    /** Without overrides. */
    static final LimiterSlots NONE = new LimiterSlots(Map.of());

    /** Returns the slots of the policy's new version, these being those of the version before. */
    LimiterSlots next(Policy policy) {
        Map<Match, Integer> next = new HashMap<>();
        for (Policy.Override override : policy.overrides()) {
            if (override.limit() != null && !override.match().decidedBy(policy.per())) {
                next.put(override.match(), byMatch.getOrDefault(override.match(), SUBJECT));
            }
        }
        Set<Integer> taken = new HashSet<>(next.values());
        int free = SUBJECT + 1;
        for (Policy.Override override : policy.overrides()) {
            if (next.getOrDefault(override.match(), free) == SUBJECT) {
                while (!taken.add(free)) {
                    free++;
                }
                next.put(override.match(), free);
            }
        }
        return next.isEmpty() ? NONE : new LimiterSlots(Map.copyOf(next));
    }

    /** Returns the slot of an override's limit. */
    int of(Policy.Override override) {
        return byMatch.getOrDefault(override.match(), SUBJECT);
    }
}
