package io.sluice.contract.policy;

import org.jspecify.annotations.Nullable;

/**
 * A limit that agents apply to each request.
 *
 * @param permits how many permits {@code perMillis} allow: the rate, or the window's N
 * @param burst most permits at once for a token bucket, at least 1
 * @param maxWaitMillis for a leaky bucket
 * @param max most requests in flight, for concurrency, else 0
 * @param strategy the name of the central store that counts exactly over the fleet, only with {@link Scope#FLEET}; {@code null}: agents count by
 *     themselves
 * @param under the policy whose limit is charged together with this one, its parent; {@code null} for none
 * @param warmUpMillis for a token bucket of agents: the time in which an idle limit grows from a third of its rate to the whole; 0 for none
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
        OnDegraded onDegraded,
        @Nullable String strategy,
        @Nullable String under,
        long warmUpMillis) {

    /** How requests are counted. */
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
        /** All agents of a service together admit the limit: by a strategy, or each an equal share, the limit divided by the live agents. */
        FLEET
    }

    /** Additive increase, multiplicative decrease between these. */
    public record Adaptive(int min, int max) {}
}
