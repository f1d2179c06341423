package io.sluice.analyzer.exact;

import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The loads of a policy, for every way in which its rules group the subjects. */
final class ExactGroups {
    private final Policy policy;
    private final Set<List<Attribute>> groupings = new HashSet<>();
    private final Map<Key, ExactGroup> groups = new HashMap<>();

    private record Key(List<Attribute> of, List<String> values) {}

    ExactGroups(Policy policy) {
        this.policy = policy;
        if (policy.lock() != null) {
            collect(policy.lock());
        }
        for (Policy.Override override : policy.overrides()) {
            if (override.lock() != null) {
                collect(override.lock());
            }
        }
    }

    private void collect(LockRule rule) {
        rule.when().forEach(this::collect);
    }

    private void collect(Condition condition) {
        if (condition instanceof Condition.Share share) {
            groupings.add(share.of());
        } else if (condition instanceof Condition.All all) {
            all.conditions().forEach(this::collect);
        }
    }

    void add(List<String> subject, Counted event) {
        groupings.forEach(of -> of(of, subject).add(event));
    }

    /** The group that a subject belongs to. What the match holds fixed is not in the subject, and parts nothing. */
    ExactGroup of(List<Attribute> of, List<String> subject) {
        List<String> values = new ArrayList<>();
        for (Attribute attribute : of) {
            int place = policy.per().indexOf(attribute);
            if (place >= 0) {
                values.add(subject.get(place));
            }
        }
        return groups.computeIfAbsent(new Key(of, values), any -> new ExactGroup(policy.window()));
    }
}
