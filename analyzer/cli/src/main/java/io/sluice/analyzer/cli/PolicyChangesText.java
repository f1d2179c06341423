package io.sluice.analyzer.cli;

import io.sluice.analyzer.fleet.PolicyChanges;
import io.sluice.analyzer.output.RecordJson;
import io.sluice.contract.json.PrintableText;
import io.sluice.contract.policy.PolicySet;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes that applying a file would make, for people and for programs. */
final class PolicyChangesText {
    private static final String NONE = "-";

    private PolicyChangesText() {}

    static void print(String file, PolicySet inForce, PolicySet wanted, PrintWriter out) {
        PolicyChanges.Changes changes = PolicyChanges.between(inForce, wanted);
        if (changes.none()) {
            out.println(file + " is in force already: revision " + inForce.revision());
            return;
        }
        out.println("in force: revision " + inForce.revision() + "; " + file + ": revision " + wanted.revision());
        fields("for all policies", changes.set(), out);
        for (PolicyChanges.Change change : changes.policies()) {
            switch (change.what()) {
                case NEW -> out.println("new      " + change.policy());
                case GONE -> out.println("gone     " + change.policy());
                case CHANGED ->
                    fields(
                            change.policy()
                                    + (change.restarts() ? ": counts something else, its windows begin anew" : "")
                                    + (change.locksLast() ? "; locks in force last until their end" : ""),
                            change.fields(),
                            out);
            }
        }
        if (changes.reordered()) {
            out.println("changed  the order of the policies");
        }
    }

    private static void fields(String whose, List<PolicyChanges.Field> fields, PrintWriter out) {
        if (fields.isEmpty()) {
            return;
        }
        out.println("changed  " + whose);
        for (PolicyChanges.Field field : fields) {
            out.println("           " + field.name() + ": " + shown(field.before()) + " -> " + shown(field.after()));
        }
    }

    private static String shown(@Nullable String value) {
        return value == null ? NONE : PrintableText.of(value);
    }

    static String json(PolicySet inForce, PolicySet wanted) {
        PolicyChanges.Changes changes = PolicyChanges.between(inForce, wanted);
        return RecordJson.line(new Json(
                inForce.revision(),
                wanted.revision(),
                changes.reordered(),
                fields(changes.set()),
                changes.policies().stream()
                        .map(change -> new PolicyChange(
                                change.policy(),
                                change.what().name().toLowerCase(Locale.ROOT),
                                change.restarts(),
                                change.locksLast(),
                                fields(change.fields())))
                        .toList()));
    }

    /** As maps: what a record lacks is left out, and a missing value is to be written as null. */
    private static List<Map<String, @Nullable String>> fields(List<PolicyChanges.Field> fields) {
        List<Map<String, @Nullable String>> changes = new ArrayList<>();
        for (PolicyChanges.Field field : fields) {
            Map<String, @Nullable String> change = new LinkedHashMap<>();
            change.put("field", field.name());
            change.put("before", field.before());
            change.put("after", field.after());
            changes.add(change);
        }
        return changes;
    }

    private record Json(
            String inForce,
            String file,
            boolean reordered,
            List<Map<String, @Nullable String>> fields,
            List<PolicyChange> policies) {}

    private record PolicyChange(
            String policy,
            String what,
            boolean restarts,
            boolean locksLast,
            List<Map<String, @Nullable String>> fields) {}
}
