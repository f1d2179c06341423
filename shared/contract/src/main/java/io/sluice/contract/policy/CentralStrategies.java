package io.sluice.contract.policy;

import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The central stores of quotas that are part of Sluice, as policies name them. */
public final class CentralStrategies {
    private static final Set<Algorithm> OF_REDIS =
            Set.of(Algorithm.TOKEN_BUCKET, Algorithm.FIXED_WINDOW, Algorithm.SLIDING_LOG);
    private static final Set<Algorithm> OF_OTHERS = Set.of(Algorithm.TOKEN_BUCKET, Algorithm.FIXED_WINDOW);

    private CentralStrategies() {}

    /**
     * Returns the algorithms that each store can apply. Limits with another one are applied by shares.
     *
     * @return by the name of the strategy, sorted; strategies of users' own are not among them
     */
    public static Map<String, Set<Algorithm>> algorithms() {
        return new TreeMap<>(
                Map.of("redis", OF_REDIS, "redis-chunks", OF_REDIS, "sql", OF_OTHERS, "token-server", OF_OTHERS));
    }
}
