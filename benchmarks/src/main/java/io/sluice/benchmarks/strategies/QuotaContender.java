package io.sluice.benchmarks.strategies;

import io.sluice.agent.quota.QuotaLimit;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A way to count a limit of the fleet.
 *
 * @param name of the report
 * @param algorithm of its limits
 * @param store its central store, or {@code null}
 * @param connector makes its clients
 */
record QuotaContender(
        String name, Algorithm algorithm, @Nullable MeasuredStore store, Connector connector) {
    private static final long SECOND = 1_000;

    /** Makes clients. */
    interface Connector {
        QuotaClient connect(QuotaLimit limit, Duration wait) throws Exception;
    }

    /** Returns a limit of so many permits a second, and as many at once. */
    QuotaLimit limit(String purpose, long permits) {
        String policy = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + "-" + purpose;
        return new QuotaLimit(policy, "", algorithm, permits, SECOND, permits);
    }

    /** Returns a client that waits for its store so long at most. */
    QuotaClient connect(QuotaLimit limit, Duration wait) throws Exception {
        return connector.connect(limit, wait);
    }
}
