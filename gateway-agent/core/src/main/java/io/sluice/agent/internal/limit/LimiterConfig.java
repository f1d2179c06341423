package io.sluice.agent.internal.limit;

/** What a limiter is asked to hold to. Immutable; one serves all limiters of a limit; equal terms are the same terms. */
public interface LimiterConfig {
    /** Most permits at once; more are never given. 0 gives nothing at all. */
    long maxPermits();
}
