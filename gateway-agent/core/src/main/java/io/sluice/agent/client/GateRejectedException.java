package io.sluice.agent.client;

import io.sluice.agent.verdict.Verdict;
import java.time.Duration;

/** A {@link DependencyGate} rejected a call, which was not made. Has no stack trace, to keep many rejections cheap. */
public final class GateRejectedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Verdict.Reason reason;
    private final String policy;
    private final Duration retryAfter;

    GateRejectedException(Verdict.Rejected rejected) {
        super(
                "rejected by policy " + rejected.policy() + ", retry after " + rejected.retryAfterMillis() + " ms",
                null,
                false,
                false);
        this.reason = rejected.reason();
        this.policy = rejected.policy();
        this.retryAfter = Duration.ofMillis(rejected.retryAfterMillis());
    }

    /**
     * Returns the kind of the rejection.
     *
     * @return lock, shedding or limit
     */
    public Verdict.Reason reason() {
        return reason;
    }

    /**
     * Returns the policy that rejected the call.
     *
     * @return its name
     */
    public String policy() {
        return policy;
    }

    /**
     * Returns the time after which to retry. It is exact: add jitter when many callers wait.
     *
     * @return at least 1 ms
     */
    public Duration retryAfter() {
        return retryAfter;
    }
}
