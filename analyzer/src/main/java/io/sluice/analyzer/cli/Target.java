package io.sluice.analyzer.cli;

import io.sluice.analyzer.api.TypedSubject;
import io.sluice.contract.json.Nearest;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.InvalidSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The policy and subject that somebody named, found among the policies in force. */
record Target(PolicySet set, Policy policy, List<String> subject) {

    /** A policy that isn't there, or a subject that it can't have, would mean nobody, without saying so. */
    static Target of(Connection connection, String policy, @Nullable List<String> typed)
            throws InvalidSettings, Refused, InterruptedException {
        PolicySet set = new PoliciesInForce(connection).read();
        List<Policy> policies = set == null ? List.of() : set.policies();
        List<String> names = policies.stream().map(Policy::name).toList();
        if (set == null || !names.contains(policy)) {
            String nearest = Nearest.to(policy, names);
            throw new Refused("no policy " + Table.printable(policy) + " is in force"
                    + (nearest == null ? "; there are " + names : ", did you mean " + nearest + "?"));
        }
        Policy named = policies.get(names.indexOf(policy));
        List<String> values = typed == null ? List.of() : typed;
        if (named.per().size() != values.size()) {
            throw new Refused(policy + " counts per " + named.per() + ": found " + values.size() + " values, "
                    + named.per().size() + " are needed");
        }
        return new Target(set, named, TypedSubject.of(named.per(), values));
    }

    /** Policy and subject, in one line. */
    String text() {
        return (policy.name() + " " + String.join(" ", subject)).strip();
    }
}
