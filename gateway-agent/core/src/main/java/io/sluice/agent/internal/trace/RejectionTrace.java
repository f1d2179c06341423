package io.sluice.agent.internal.trace;

import io.sluice.agent.verdict.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Tells the current span of a rejection, where the host has the OpenTelemetry API; elsewhere nobody. Costs nothing then, and one look for the
 * current span otherwise. Never throws. Thread-safe.
 */
public final class RejectionTrace {
    private final @Nullable CurrentSpan span;

    private RejectionTrace(@Nullable CurrentSpan span) {
        this.span = span;
    }

    /** For the class path that this class is on. */
    public static RejectionTrace here() {
        try {
            return new RejectionTrace(new CurrentSpan());
        } catch (LinkageError e) {
            // the host has no OpenTelemetry
            return new RejectionTrace(null);
        }
    }

    /** To be called on the request's own thread: there its span is the current one. */
    public void rejected(Verdict.Rejected rejected) {
        if (span != null) {
            try {
                span.rejected(rejected);
            } catch (RuntimeException | LinkageError e) {
                // somebody's span, or an API of another age: the request is turned away all the same
                return;
            }
        }
    }
}
