package io.sluice.agent.client;

import io.sluice.agent.verdict.Verdict;
import java.time.Duration;

/**
 * A {@link DependencyGate} turned a call away; nothing was called. Carries no stack trace, for rejections have to be cheap
 * when there are many.
 */
public final class GateRejectedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Verdict.Reason reason;
    private final String policy;
    private final Duration retryAfter;

    GateRejectedException(Verdict.Rejected rejected) {
        super(
                "rejected by policy " + rejected.policy() + ", ask again in " + rejected.retryAfterMillis() + " ms",
                null,
                false,
                false);
        this.reason = rejected.reason();
        this.policy = rejected.policy();
        this.retryAfter = Duration.ofMillis(rejected.retryAfterMillis());
    }

    /** Whether it was a lock or a limit. */
    public Verdict.Reason reason() {
        return reason;
    }

    /** The policy that turned the call away. */
    public String policy() {
        return policy;
    }

    /** When asking again is of use, at least 1 ms; exact, so add jitter of your own when many wait for it. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
