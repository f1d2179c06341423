package io.sluice.analyzer.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.contract.json.PrintableText;
import io.sluice.contract.policy.PolicySet;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What would change if a file were applied, for people and for programs. */
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
                                    + (change.restarts() ? ": counts something else, its windows begin anew" : ""),
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
        return JsonLine.of(to -> {
            to.writeStringField("inForce", inForce.revision());
            to.writeStringField("file", wanted.revision());
            to.writeBooleanField("reordered", changes.reordered());
            fields(changes.set(), to);
            to.writeArrayFieldStart("policies");
            for (PolicyChanges.Change change : changes.policies()) {
                to.writeStartObject();
                to.writeStringField("policy", change.policy());
                to.writeStringField("what", change.what().name().toLowerCase(Locale.ROOT));
                to.writeBooleanField("restarts", change.restarts());
                fields(change.fields(), to);
                to.writeEndObject();
            }
            to.writeEndArray();
        });
    }

    private static void fields(List<PolicyChanges.Field> fields, JsonGenerator to) throws IOException {
        to.writeArrayFieldStart("fields");
        for (PolicyChanges.Field field : fields) {
            to.writeStartObject();
            to.writeStringField("field", field.name());
            to.writeStringField("before", field.before());
            to.writeStringField("after", field.after());
            to.writeEndObject();
        }
        to.writeEndArray();
    }
}
