package io.sluice.analyzer.fleet;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Differences between two policy sets, field by field of their canonical form: what is only spelt or ordered otherwise does
 * not differ, but for the order of the policies.
 */
public final class PolicyChanges {
    private static final String POLICIES = "policies";

    /** Kinds of changes of a policy. */
    public enum What {
        NEW,
        GONE,
        CHANGED
    }

    /** A field with what it was and what it is to be; {@code null} where there is none. */
    public record Field(
            String name, @Nullable String before, @Nullable String after) {}

    /**
     * A policy that differs.
     *
     * @param restarts whether it counts something else than before, so that its windows begin anew
     * @param locksLast whether its locks in force then last until their end: their demand is no longer counted
     */
    public record Change(What what, String policy, boolean restarts, boolean locksLast, List<Field> fields) {}

    /**
     * All differences of two sets.
     *
     * @param set what differs beside the policies
     * @param reordered whether policies that are in both stand in another order, in which agents ask their limits
     */
    public record Changes(List<Field> set, List<Change> policies, boolean reordered) {
        /** Returns whether the sets are the same. */
        public boolean none() {
            return set.isEmpty() && policies.isEmpty() && !reordered;
        }
    }

    private PolicyChanges() {}

    /** Returns what differs. */
    public static Changes between(PolicySet before, PolicySet after) {
        Map<String, Policy> old = byName(before);
        Map<String, Policy> young = byName(after);
        Map<String, Map<String, String>> oldFields = policies(before);
        Map<String, Map<String, String>> youngFields = policies(after);
        List<Change> changes = new ArrayList<>();
        for (String name : union(old.keySet(), young.keySet())) {
            Policy was = old.get(name);
            Policy is = young.get(name);
            if (was == null) {
                changes.add(new Change(What.NEW, name, false, false, List.of()));
            } else if (is == null) {
                changes.add(new Change(What.GONE, name, false, false, List.of()));
            } else if (!was.equals(is)) {
                boolean restarts = !was.revision().equals(is.revision());
                changes.add(new Change(
                        What.CHANGED,
                        name,
                        restarts,
                        restarts && keepsLocks(was, is),
                        fields(oldFields.getOrDefault(name, Map.of()), youngFields.getOrDefault(name, Map.of()))));
            }
        }
        return new Changes(fields(flat(set(before)), flat(set(after))), changes, reordered(old, young));
    }

    /** Locks of other attributes, or of a policy that no longer locks, are released. */
    private static boolean keepsLocks(Policy was, Policy is) {
        return was.locks() && is.locks() && was.perNames().equals(is.perNames());
    }

    private static boolean reordered(Map<String, Policy> old, Map<String, Policy> young) {
        List<String> was = old.keySet().stream().filter(young::containsKey).toList();
        List<String> is = young.keySet().stream().filter(old::containsKey).toList();
        return !was.equals(is);
    }

    private static Map<String, Policy> byName(PolicySet set) {
        return set.policies().stream()
                .collect(Collectors.toMap(Policy::name, Function.identity(), (one, other) -> one, LinkedHashMap::new));
    }

    private static Map<String, Map<String, String>> policies(PolicySet set) {
        Map<String, Map<String, String>> byName = new LinkedHashMap<>();
        if (document(set).value(POLICIES) instanceof Node.Listing all) {
            for (Node one : all.items()) {
                if (one instanceof Node.Mapping policy) {
                    Map<String, String> fields = flat(policy);
                    byName.put(fields.getOrDefault("name", ""), fields);
                }
            }
        }
        return byName;
    }

    private static Node.Mapping set(PolicySet set) {
        Node.Mapping document = document(set);
        return new Node.Mapping(
                document.place(),
                document.entries().stream()
                        .filter(entry -> !entry.key().equals(POLICIES))
                        .toList());
    }

    private static Node.Mapping document(PolicySet set) {
        try {
            return (Node.Mapping) PolicySetJson.document(PolicySetJson.writeActive(set));
        } catch (MalformedRecord e) {
            throw new IllegalStateException("a policy set can't be read back", e);
        }
    }

    private static Map<String, String> flat(Node.Mapping mapping) {
        Map<String, String> fields = new LinkedHashMap<>();
        flatten("", mapping, fields);
        return fields;
    }

    private static void flatten(String prefix, Node.Mapping mapping, Map<String, String> to) {
        for (Node.Entry entry : mapping.entries()) {
            if (entry.value() instanceof Node.Mapping inner && !inner.entries().isEmpty()) {
                flatten(prefix + entry.key() + ".", inner, to);
            } else {
                to.put(prefix + entry.key(), text(entry.value()));
            }
        }
    }

    private static String text(Node value) {
        return value instanceof Node.Scalar scalar
                ? scalar.text()
                : new String(JsonNodes.write(value), StandardCharsets.UTF_8);
    }

    private static List<Field> fields(Map<String, String> before, Map<String, String> after) {
        return union(before.keySet(), after.keySet()).stream()
                .map(name -> new Field(name, before.get(name), after.get(name)))
                .filter(field -> field.before() == null || !field.before().equals(field.after()))
                .toList();
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        Set<String> all = new LinkedHashSet<>(one);
        all.addAll(other);
        return all;
    }
}
