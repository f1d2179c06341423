package io.sluice.quota.redis;

import io.sluice.agent.quota.QuotaCharge;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.Map;
import java.util.Set;

/**
 * Keys of quotas: {@code PREFIX{ROUTE}ALGORITHM:POLICY:SUBJECT:SLOT}, the subject left out where it is the route. A route is a JSON array.
 */
final class QuotaKey {
    private static final Map<Algorithm, String> ALGORITHMS =
            Map.of(Algorithm.TOKEN_BUCKET, "bucket", Algorithm.FIXED_WINDOW, "window", Algorithm.SLIDING_LOG, "log");

    private QuotaKey() {}

    static Set<Algorithm> algorithms() {
        return ALGORITHMS.keySet();
    }

    /** @throws IllegalArgumentException if the scripts do not know the algorithm */
    static String algorithm(QuotaCharge charge) {
        String name = ALGORITHMS.get(charge.limit().algorithm());
        if (name == null) {
            throw new IllegalArgumentException(
                    charge.limit().algorithm() + " of policy " + charge.limit().policy() + " is not counted by Redis");
        }
        return name;
    }

    static String of(String prefix, QuotaCharge charge) {
        String subject = charge.subject().equals(charge.route()) ? "" : charge.subject();
        return prefix
                + '{'
                + charge.route()
                + '}'
                + algorithm(charge)
                + ':'
                + charge.limit().policy()
                + ':'
                + subject
                + ':'
                + charge.limit().slot();
    }
}
