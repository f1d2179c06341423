package io.sluice.analyzer.cli;

import io.sluice.contract.policy.CentralStrategies;
import io.sluice.contract.policy.LimitRule;
import io.sluice.contract.policy.LimitRule.Algorithm;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What the central stores that limits name mean for requests, for people. */
final class StrategiesText {
    private StrategiesText() {}

    /** Prints a line for each policy that names a strategy, and one for each algorithm that its store cannot apply. */
    static void print(PolicySet set, PrintWriter out) {
        Map<String, Set<Algorithm>> known = CentralStrategies.algorithms();
        for (Policy policy : set.policies()) {
            policy.limitRules().stream()
                    .filter(limit -> limit.strategy() != null)
                    .map(limit -> of(limit, known))
                    .distinct()
                    .forEach(text -> out.println(policy.name() + ": " + text));
        }
    }

    /** Returns what the strategy of a limit means. */
    static String of(LimitRule limit) {
        return of(limit, CentralStrategies.algorithms());
    }

    private static String of(LimitRule limit, Map<String, Set<Algorithm>> known) {
        Set<Algorithm> algorithms = known.get(limit.strategy());
        if (algorithms != null && !algorithms.contains(limit.algorithm())) {
            return "WARN: the strategy %s cannot apply %s, only %s: each agent applies its share, rate ÷ live agents"
                    .formatted(
                            limit.strategy(),
                            spelling(limit.algorithm()),
                            algorithms.stream()
                                    .map(StrategiesText::spelling)
                                    .sorted()
                                    .collect(Collectors.joining(" and ")));
        }
        return "counted over the fleet by the strategy " + limit.strategy()
                + (algorithms == null ? " (not one of " + String.join(", ", known.keySet()) + ")" : "")
                + ", which each request asks and waits for, up to agent.quota.wait; while it does not answer "
                + switch (limit.onDegraded()) {
                    case LOCAL -> "each agent admits its share, rate ÷ live agents";
                    case DENY -> "requests are rejected";
                    case ALLOW -> "requests pass";
                };
    }

    private static String spelling(Algorithm algorithm) {
        return algorithm.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
