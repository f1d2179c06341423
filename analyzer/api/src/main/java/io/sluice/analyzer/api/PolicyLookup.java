package io.sluice.analyzer.api;

import io.sluice.contract.json.Nearest;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds policies by name in the set in force. */
final class PolicyLookup {
    private PolicyLookup() {}

    /** Returns the counting policy of a name; the error for any other name lists those that exist. */
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

    /** Returns the policies that can lock: only these are counted by. */
    static List<Policy> counting(@Nullable PolicySet set) {
        return set == null
                ? List.of()
                : set.policies().stream().filter(Policy::locks).toList();
    }
}
