package io.sluice.analyzer.detect;

import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Until when requests of subjects may have been left out of what is usual. A policy that loses its {@code spike}, and gets it back, is the same revision,
 * so it finds the baselines of its subjects again, to which nothing was added meanwhile; so does a subject that was allowed, or had other rules. The
 * first policies of a life are those of the last one, as a rule. One thread.
 */
final class UncountedTimes {
    private final Set<String> returned = new HashSet<>();
    private final Map<String, Long> resumed = new HashMap<>();
    private Map<String, List<Object>> counted = Map.of();
    /** When the entries of {@code allow} end that end by themselves. */
    private long[] allowEnds = {};

    private boolean begun;

    void policies(PolicySet set) {
        Map<String, List<Object>> now = new HashMap<>();
        set.policies().forEach(policy -> now.put(policy.revision(), rules(policy, set)));
        if (begun) {
            now.forEach((revision, rules) -> {
                if (!rules.equals(counted.get(revision))) {
                    returned.add(revision);
                }
            });
        }
        returned.retainAll(now.keySet());
        resumed.keySet().retainAll(now.keySet());
        counted = now;
        allowEnds = set.allow().stream()
                .mapToLong(PolicySet.Allow::until)
                .filter(end -> end > 0)
                .toArray();
        begun = true;
    }

    /** A partial of a policy has come that is of this time. */
    void counted(String revision, long time) {
        if (!returned.isEmpty() && returned.remove(revision)) {
            resumed.put(revision, time);
        }
    }

    /** Returns the time until which requests of the policy's subjects may be missing, {@link Long#MIN_VALUE} for none. */
    long until(String revision, long time) {
        long until = resumed.isEmpty() ? Long.MIN_VALUE : resumed.getOrDefault(revision, Long.MIN_VALUE);
        for (long end : allowEnds) {
            if (end > until && end <= time) {
                until = end;
            }
        }
        return until;
    }

    /** Returns what decides for which subjects a policy keeps which baselines. */
    private static List<Object> rules(Policy policy, PolicySet set) {
        List<Object> rules = new ArrayList<>();
        rules.add(set.allow());
        rules.add(baselines(policy.lock()));
        for (Policy.Override override : policy.overrides()) {
            if (override.lock() != null) {
                rules.add(override.match());
                rules.add(baselines(override.lock()));
            }
        }
        return rules;
    }

    private static Set<Long> baselines(@Nullable LockRule rule) {
        Set<Long> baselines = new HashSet<>();
        Stream.ofNullable(rule)
                .flatMap(it -> it.when().stream())
                .flatMap(UncountedTimes::spikes)
                .map(Condition.Spike::baselineMillis)
                .forEach(baselines::add);
        return baselines;
    }

    private static Stream<Condition.Spike> spikes(Condition condition) {
        if (condition instanceof Condition.All all) {
            return all.conditions().stream().flatMap(UncountedTimes::spikes);
        }
        return condition instanceof Condition.Spike spike ? Stream.of(spike) : Stream.of();
    }
}
