package io.sluice.contract.policy;

import io.sluice.contract.json.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parts of the grammar that this version does not implement yet. */
public final class Unsupported {
    private final Problems problems = new Problems(false);

    private Unsupported() {}

    /** Returns the unsupported parts of a document, in its order; empty when all is. */
    public static List<Problem> in(Node root) {
        Unsupported unsupported = new Unsupported();
        Fields set = new Fields(mapping(root), "", new Problems(false));
        set.each("policies", (policy, index) -> {
            unsupported.policy(policy);
            return policy;
        });
        return unsupported.problems.list();
    }

    private void policy(Fields policy) {
        rules(policy);
        policy.each("overrides", (override, index) -> {
            rules(override);
            return override;
        });
    }

    private void rules(Fields of) {
        if (of.mapping().value("limit") instanceof Node.Mapping) {
            limit(new Fields(mapping(of.mapping().value("limit")), of.path("limit"), problems));
        }
    }

    private void limit(Fields limit) {
        refuse(limit, "scope", "fleet");
    }

    private void refuse(Fields fields, String key, String value) {
        if (text(fields, key).equals(value)) {
            add(fields, key, key + ": " + value);
        }
    }

    private void add(Fields fields, String key, String what) {
        problems.add(
                fields.mapping().entries().stream()
                        .filter(entry -> entry.key().equals(key))
                        .findFirst()
                        .map(Node.Entry::place)
                        .orElse(fields.mapping().place()),
                fields.path(key),
                what + " is not supported yet");
    }

    private static String text(Fields fields, String key) {
        return fields.mapping().value(key) instanceof Node.Scalar scalar ? scalar.text() : "";
    }

    private static Node.Mapping mapping(@Nullable Node node) {
        return node instanceof Node.Mapping mapping ? mapping : Document.mapping(List.of());
    }
}
