package io.sluice.contract.policy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks {@code under}: the limits of a hierarchy, such as a tenant's under its organisation's, are charged together. So a parent has to match every
 * request of its children, a child's subject has to decide its parent's, and one store has to hold both.
 */
final class ParentLimits {
    /** More levels would be charged for each request. */
    private static final int MOST_LEVELS = 8;

    private static final int MOST_NAMES = 10;

    private final List<Policy> policies;
    private final Fields root;
    private final Map<String, Policy> byName = new HashMap<>();

    /**
     * @param policies without other problems
     * @param root the document that they were read from
     */
    ParentLimits(List<Policy> policies, Fields root) {
        this.policies = policies;
        this.root = root;
        policies.forEach(policy -> byName.put(policy.name(), policy));
    }

    void check() {
        root.each("policies", (fields, index) -> {
            Policy policy = policies.get(index);
            LimitRule limit = policy.limit();
            Fields at = fields.fields("limit");
            String under = limit == null ? null : limit.under();
            String problem = under == null ? null : problem(policy, under);
            if (at != null && problem != null) {
                at.wrong("under", problem);
            }
            return null;
        });
    }

    private @Nullable String problem(Policy policy, String under) {
        Policy parent = byName.get(under);
        if (parent == null || parent.limit() == null) {
            return (parent == null ? "" : "a policy without a limit of its own; ") + "allowed: " + candidates(policy);
        }
        if (levels(policy) > MOST_LEVELS) {
            return "allowed: a policy that is not under this one, and at most " + MOST_LEVELS + " levels";
        }
        if (!parent.per().stream().allMatch(attribute -> attribute.decidedBy(policy.per()))) {
            return "which counts per " + parent.per()
                    + "; allowed: a policy that counts by attributes of this one's per, " + policy.per();
        }
        if (!parent.match().isPartOf(policy.match())) {
            return "whose match is " + parent.match() + "; allowed: a policy that matches all requests of this one, "
                    + policy.match();
        }
        for (LimitRule rule : policy.limitRules()) {
            for (LimitRule above : parent.limitRules()) {
                String strategy = above.strategy();
                if (rule.under() != null && strategy != null && !strategy.equals(rule.strategy())) {
                    return "which has strategy: " + strategy + "; allowed: a policy "
                            + (rule.strategy() == null ? "" : "with strategy: " + rule.strategy() + " or ")
                            + "without a strategy";
                }
            }
        }
        return null;
    }

    /** Returns the levels from a policy to the top, more than allowed for a circle. */
    private int levels(Policy policy) {
        int levels = 1;
        Policy at = policy;
        while (levels <= MOST_LEVELS) {
            LimitRule limit = at.limit();
            String under = limit == null ? null : limit.under();
            Policy parent = under == null ? null : byName.get(under);
            if (parent == null) {
                return levels;
            }
            at = parent;
            levels++;
        }
        return levels;
    }

    private String candidates(Policy child) {
        String names = policies.stream()
                .filter(policy -> !policy.name().equals(child.name()) && policy.limit() != null)
                .map(Policy::name)
                .limit(MOST_NAMES)
                .collect(Collectors.joining(", "));
        return "another policy with a limit" + (names.isEmpty() ? "; there is none" : ", such as " + names);
    }
}
