package io.sluice.contract.policy;

import io.sluice.contract.json.Node;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a policy set from a document tree, whatever syntax that was written in. */
public final class PolicySetReader {
    private static final List<String> KEYS = List.of("version", "enforce", "allow", "guard", "policies");
    private static final List<String> ALLOW_KEYS = List.of("until", "reason");
    private static final int MAX_REASON = 256;

    private final Fields root;
    private final Problems problems;

    private PolicySetReader(Fields root) {
        this.root = root;
        this.problems = root.problems();
    }

    /**
     * Reads it whole or not at all.
     *
     * @throws InvalidPolicies with all problems of the document at once; or when the set would be too large to be published
     */
    public static PolicySet read(Node root) throws InvalidPolicies {
        PolicySet set = read(root, false);
        // every override is written with all that it inherits
        int bytes = PolicySetJson.writeActive(set).length;
        if (bytes > PolicySetJson.MAX_BYTES) {
            String message = bytes + " bytes once written out, at most " + PolicySetJson.MAX_BYTES + " are published";
            throw new InvalidPolicies(List.of(new Problem(root.place(), "", message)));
        }
        return set;
    }

    /**
     * Reads a set of any size.
     *
     * @param lenient pass over keys that this version does not know, except where they would narrow a match
     */
    static PolicySet read(Node root, boolean lenient) throws InvalidPolicies {
        Problems problems = new Problems(lenient);
        if (root instanceof Node.Mapping mapping) {
            PolicySet set = new PolicySetReader(new Fields(mapping, "", problems)).read();
            if (problems.isEmpty()) {
                return set;
            }
        } else {
            problems.add(root, "", Problems.found(root) + ", allowed: a mapping with " + String.join(", ", KEYS));
        }
        throw new InvalidPolicies(problems.list());
    }

    private PolicySet read() {
        root.allow(KEYS);
        root.whole("version", 1, 1, 1);
        if (!root.has("policies")) {
            root.missing("policies", "allowed: a list of policies, or [] for none");
        }
        PolicySet set = new PolicySet(
                root.truth("enforce", true),
                root.each("allow", (fields, index) -> allow(fields)),
                guard(),
                root.each("policies", (fields, index) -> new PolicyReader(fields).read()),
                "");
        checkNames();
        if (problems.isEmpty()) {
            new ParentLimits(set.policies(), root).check();
        }
        return problems.isEmpty() ? revised(set) : set;
    }

    static PolicySet revised(PolicySet set) {
        String revision = Revisions.of(PolicyDocument.of(set));
        return new PolicySet(set.enforce(), set.allow(), set.guard(), set.policies(), revision);
    }

    private static PolicySet.Allow allow(Fields fields) {
        Match match = MatchReader.read(fields, ALLOW_KEYS);
        if (match.usesStatus()) {
            fields.wrong(
                    fields.has("status") ? "status" : "not",
                    "status is unknown when a request is checked; allowed: request attributes");
        }
        if (fields.mapping().entries().stream().allMatch(entry -> ALLOW_KEYS.contains(entry.key()))) {
            fields.wrong("would allow everything; allowed: at least one attribute, such as caller");
        }
        long until = fields.scalar("until", 0L, PolicySetReader::time);
        String reason = fields.scalar("reason", "", text -> {
            if (text.isEmpty() || text.length() > MAX_REASON) {
                throw new IllegalArgumentException("allowed: 1 to " + MAX_REASON + " characters");
            }
            return text;
        });
        return new PolicySet.Allow(match, until, reason.isEmpty() ? null : reason);
    }

    private static long time(String text) {
        try {
            long millis = OffsetDateTime.parse(text).toInstant().toEpochMilli();
            if (millis > 0) {
                return millis;
            }
        } catch (DateTimeException | ArithmeticException e) {
            // reported below; the latter for a year whose milliseconds no long holds
        }
        throw new IllegalArgumentException("allowed: a time with its zone such as 2026-12-31T00:00:00Z");
    }

    private PolicySet.Guard guard() {
        PolicySet.Guard absent = PolicySet.Guard.DEFAULT;
        Fields guard = root.fields("guard");
        if (guard == null) {
            return absent;
        }
        guard.allow(List.of("subjects", "atLeast", "atMost"));
        double subjects = guard.scalar("subjects", absent.subjects(), Quantities::part);
        int atLeast = (int) guard.whole("atLeast", absent.atLeast(), 0, Integer.MAX_VALUE);
        int atMost = (int) guard.whole("atMost", absent.atMost(), 1, Integer.MAX_VALUE);
        if (atLeast > atMost) {
            guard.wrong(
                    guard.has("atLeast") ? "atLeast" : "atMost", "atLeast, " + atLeast + ", is over atMost, " + atMost);
        }
        return new PolicySet.Guard(subjects, atLeast, atMost);
    }

    private void checkNames() {
        Map<String, Node> names = new HashMap<>();
        List<Node> items =
                root.mapping().value("policies") instanceof Node.Listing listing ? listing.items() : new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            Node name = name(items.get(i));
            if (name instanceof Node.Scalar scalar) {
                Node first = names.putIfAbsent(scalar.text(), name);
                if (first != null) {
                    String message = Problems.found(name) + ", which names the policy at " + first.place() + " already";
                    problems.add(name, "policies[" + i + "].name", message);
                }
            }
        }
    }

    private static @Nullable Node name(Node policy) {
        return policy instanceof Node.Mapping mapping ? mapping.value("name") : null;
    }
}
