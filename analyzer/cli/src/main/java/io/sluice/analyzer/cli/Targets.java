package io.sluice.analyzer.cli;

import io.sluice.analyzer.api.Target;
import io.sluice.analyzer.api.TypedSubject;
import io.sluice.contract.json.PrintableText;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.pseudonym.Pseudonyms;
import io.sluice.settings.InvalidSettings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks up the policies and subjects of a command line. */
final class Targets {
    private Targets() {}

    /** Returns the subject as agents write it: one, or one under each key while the keys of pseudonyms are rotated. */
    static List<Target> of(Connection connection, String policy, @Nullable List<String> typed)
            throws InvalidSettings, Refused, InterruptedException {
        List<String> values = typed == null ? List.of() : typed;
        try {
            Target target = Target.in(new PoliciesInForce(connection).read(), policy, values);
            for (int i = 0; i < values.size(); i++) {
                String network = network(connection, values.get(i));
                if (network != null && target.policy().per().get(i).kind() == Attribute.Kind.CALLER) {
                    connection.warn(
                            PrintableText.of("gates and access logs name IPv6 callers by their network: did you mean "
                                    + network + " instead of " + values.get(i) + "?"));
                }
            }
            return subjects(connection, target.policy().per(), values).stream()
                    .map(subject -> new Target(target.set(), target.policy(), subject))
                    .toList();
        } catch (Target.Missing e) {
            throw new Refused(PrintableText.of(String.valueOf(e.getMessage())));
        }
    }

    /** Returns the same to be locked: subjects that no gate names are refused. */
    static List<Target> toLock(Connection connection, String policy, @Nullable List<String> typed)
            throws InvalidSettings, Refused, InterruptedException {
        List<Target> targets = of(connection, policy, typed);
        try {
            for (Target target : targets) {
                target.lockable();
            }
        } catch (Target.Missing e) {
            throw new Refused(PrintableText.of(String.valueOf(e.getMessage())));
        }
        return targets;
    }

    /** Returns the network that an IPv6 address counts to as a caller; {@code null} for other callers. */
    static @Nullable String network(Connection connection, String typed) throws InvalidSettings {
        return TypedSubject.network(typed, connection.settings().agent().ipv6Prefix());
    }

    /** Returns typed values of some attributes as agents write them, once for each key of pseudonyms. */
    static List<List<String>> subjects(Connection connection, List<Attribute> per, List<String> typed)
            throws InvalidSettings {
        Pseudonyms pseudonyms = connection.settings().agent().pseudonyms();
        List<List<String>> subjects = new ArrayList<>();
        for (int key = 0; key < Math.max(1, pseudonyms.keys().size()); key++) {
            List<String> values = new ArrayList<>();
            for (int i = 0; i < typed.size(); i++) {
                List<String> each = pseudonyms.of(per.get(i), typed.get(i));
                values.add(each.get(Math.min(key, each.size() - 1)));
            }
            subjects.add(TypedSubject.of(per, values));
        }
        return subjects.stream().distinct().toList();
    }
}
