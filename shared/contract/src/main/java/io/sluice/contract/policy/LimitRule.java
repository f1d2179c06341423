package io.sluice.contract.policy;

import org.jspecify.annotations.Nullable;

/**
 * An exact local limit.
 *
 * @param permits how many permits {@code perMillis} allow: the rate, or the window's N
 * @param burst most permits at once for a token bucket, at least 1
 * @param maxWaitMillis for a leaky bucket
 * @param max most requests in flight, for concurrency, else 0
 */
public record LimitRule(
        Algorithm algorithm,
        double permits,
        long perMillis,
        long burst,
        long maxWaitMillis,
        int max,
        @Nullable Adaptive adaptive,
        Scope scope,
        boolean shadow,
        OnDegraded onDegraded) {

    public enum Algorithm {
        TOKEN_BUCKET,
        SLIDING_LOG,
        SLIDING_WINDOW,
        FIXED_WINDOW,
        LEAKY_BUCKET,
        CONCURRENCY
    }

    /** What a limit holds for. */
    public enum Scope {
        /** Each agent admits the limit. */
        AGENT,
        /** Each agent admits an equal share: the limit divided by the live agents of its service. */
        FLEET
    }

    /** Additive increase, multiplicative decrease between these. */
    public record Adaptive(int min, int max) {}
}
