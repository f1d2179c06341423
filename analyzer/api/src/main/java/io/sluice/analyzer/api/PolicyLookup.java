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
        throw name == null
                ? new Question.Wrong(400, "policy: needed" + alternatives("", names))
                : new Question.Wrong(404, "no policy " + name + " that counts is in force" + alternatives(name, names));
    }

    /** Returns the end of a message about a policy that is not in force: the nearest name, all names, or how to get policies. */
    static String alternatives(String name, List<String> names) {
        if (names.isEmpty()) {
            return ", nor any other; './sluice policies apply FILE' publishes some";
        }
        String nearest = Nearest.to(name, names);
        return nearest == null ? "; there are " + String.join(", ", names) : ", did you mean " + nearest + "?";
    }

    /** Returns the policies that can lock: only these are counted by. */
    static List<Policy> counting(@Nullable PolicySet set) {
        return set == null
                ? List.of()
                : set.policies().stream().filter(Policy::locks).toList();
    }
}
