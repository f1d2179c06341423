package io.sluice.analyzer.api;

import io.sluice.contract.json.Nearest;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A policy that somebody named. */
final class PolicyLookup {
    private PolicyLookup() {}

    /** The policy of this name, which counts; who asks for another one is told which there are. */
    static Policy policy(@Nullable PolicySet set, @Nullable String name) throws Question.Wrong {
        List<Policy> counting = counting(set);
        List<String> names = counting.stream().map(Policy::name).toList();
        if (name != null && names.contains(name)) {
            return counting.get(names.indexOf(name));
        }
        String nearest = name == null ? null : Nearest.to(name, names);
        throw new Question.Wrong(
                name == null ? 400 : 404,
                (name == null ? "policy: needed" : "no policy " + name + " that counts is in force")
                        + (nearest == null ? ", there are " + names : ", did you mean " + nearest + "?"));
    }

    /** Those that can lock, for only these are counted by. */
    static List<Policy> counting(@Nullable PolicySet set) {
        return set == null
                ? List.of()
                : set.policies().stream().filter(Policy::locks).toList();
    }
}
