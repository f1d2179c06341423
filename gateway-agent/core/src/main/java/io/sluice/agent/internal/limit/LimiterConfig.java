package io.sluice.agent.internal.limit;

/** The configuration of a limiter. Immutable; one instance serves all limiters of a limit, and equal configurations are interchangeable. */
public interface LimiterConfig {
    /** Returns the most permits at once; 0 for a limit that admits nothing. */
    long maxPermits();
}
