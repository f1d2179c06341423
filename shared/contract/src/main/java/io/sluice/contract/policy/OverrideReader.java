package io.sluice.contract.policy;

import io.sluice.contract.json.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code overrides}. An override's rules are merged with the policy's as documents, field by field, and then read
 * as any other rule: so the same checks hold for both. Where the policy has no such rule, the override's stands alone.
 */
final class OverrideReader {
    private static final List<String> NESTED = List.of("escalate", "adaptive");
    private static final List<String> ANY_ALGORITHM = List.of("scope", "shadow", "onDegraded", "strategy", "under");

    private final Fields policy;
    private final Counting counting;

    OverrideReader(Fields policy, Counting counting) {
        this.policy = policy;
        this.counting = counting;
    }

    List<Policy.Override> read() {
        return policy.each("overrides", (override, index) -> read(override));
    }

    private Policy.Override read(Fields override) {
        override.allow(List.of("match", "lock", "limit"));
        Match match = match(override);
        if (!override.has("lock") && !override.has("limit")) {
            override.wrong("changes nothing; allowed: lock, limit or both beside match");
        }
        Fields lock = merged(override, "lock");
        Fields ownLimit = override.fields("limit");
        if (ownLimit != null
                && ownLimit.has("under")
                && !parentIn(ownLimit.mapping()).equals(parent())) {
            ownLimit.wrong("under", "allowed in the limit of the policy itself, not in an override");
        }
        Fields limit = merged(override, "limit");
        return new Policy.Override(
                match,
                lock == null ? null : new LockRuleReader(lock, counting).read(),
                limit == null ? null : new LimitRuleReader(limit, counting.measure()).read());
    }

    private @Nullable String parent() {
        return policy.mapping().value("limit") instanceof Node.Mapping limit ? parentIn(limit) : null;
    }

    private static String parentIn(Node.Mapping limit) {
        return limit.value("under") instanceof Node.Scalar scalar ? scalar.text() : "";
    }

    private Match match(Fields override) {
        Fields fields = override.fields("match");
        if (fields == null || fields.mapping().entries().isEmpty()) {
            if (fields != null || !override.has("match")) {
                override.wrong("needs a match: it would replace the policy's own rules");
            }
            return Match.ANY;
        }
        Match match = MatchReader.read(fields);
        List<Attribute> per = counting.per();
        if (match.usesStatus()) {
            override.wrong("match", "status is unknown when a rule is chosen; allowed: request attributes");
        } else if (override.has("lock") && per != null && !match.decidedBy(per)) {
            override.wrong(
                    "match",
                    "with lock it may ask only for attributes in per " + per
                            + ", and for networks no narrower than those counted by");
        }
        return match;
    }

    private @Nullable Fields merged(Fields override, String key) {
        Fields own = override.fields(key);
        if (own == null) {
            return null;
        }
        Node base = policy.mapping().value(key);
        if (base instanceof Node.Mapping mapping) {
            Set<String> dropped = key.equals("lock") ? obsoleteInLock(own) : obsoleteInLimit(own, mapping);
            return new Fields(merge(mapping, own.mapping(), dropped), override.path(key), override.problems());
        }
        return base == null ? own : null;
    }

    /** The fields of the policy that the override's choice makes meaningless. */
    private static Set<String> obsoleteInLock(Fields own) {
        Set<String> dropped = new HashSet<>();
        if (own.has("mode") && !is(own.mapping(), "mode", "throttle")) {
            dropped.add("rate");
        }
        if (own.has("for")) {
            dropped.add(is(own.mapping(), "for", "debt") ? "escalate" : "upTo");
        }
        return dropped;
    }

    private static Set<String> obsoleteInLimit(Fields own, Node.Mapping base) {
        Set<String> dropped = new HashSet<>();
        if (own.has("algorithm") && !spelled(own.mapping()).equals(spelled(base))) {
            base.entries().stream().map(Node.Entry::key).forEach(dropped::add);
            ANY_ALGORITHM.forEach(dropped::remove);
        }
        if (is(own.mapping(), "scope", "agent")) {
            dropped.addAll(List.of("strategy", "under"));
        }
        if (own.has("strategy")) {
            dropped.add("warmUp");
        }
        if (own.has("max") || own.has("adaptive")) {
            dropped.add(own.has("max") ? "adaptive" : "max");
        }
        return dropped;
    }

    private static String spelled(Node.Mapping limit) {
        return limit.value("algorithm") instanceof Node.Scalar scalar ? scalar.text() : "token-bucket";
    }

    private static boolean is(Node.Mapping mapping, String key, String text) {
        return mapping.value(key) instanceof Node.Scalar scalar && scalar.text().equals(text);
    }

    private static Node.Mapping merge(Node.Mapping base, Node.Mapping own, Set<String> dropped) {
        List<Node.Entry> entries = new ArrayList<>();
        for (Node.Entry entry : base.entries()) {
            if (own.value(entry.key()) == null && !dropped.contains(entry.key())) {
                entries.add(entry);
            }
        }
        for (Node.Entry entry : own.entries()) {
            boolean nested = NESTED.contains(entry.key())
                    && !dropped.contains(entry.key())
                    && entry.value() instanceof Node.Mapping
                    && base.value(entry.key()) instanceof Node.Mapping;
            entries.add(nested ? nested(base, entry) : entry);
        }
        return new Node.Mapping(own.place(), entries);
    }

    private static Node.Entry nested(Node.Mapping base, Node.Entry entry) {
        Node.Mapping inherited = (Node.Mapping) base.value(entry.key());
        Node.Mapping own = (Node.Mapping) entry.value();
        return new Node.Entry(entry.key(), entry.place(), inherited == null ? own : merge(inherited, own, Set.of()));
    }
}
