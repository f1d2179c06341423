package io.sluice.agent.internal.trace;

import io.sluice.agent.verdict.Verdict;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records rejections on the current span if the host has the OpenTelemetry API. Costs a look-up of the current span then, otherwise nothing. Never
 * throws. Thread-safe.
 */
public final class RejectionTrace {
    private final @Nullable CurrentSpan span;

    private RejectionTrace(@Nullable CurrentSpan span) {
        this.span = span;
    }

    /** Returns an instance for the class path of this class. */
    public static RejectionTrace here() {
        try {
            return new RejectionTrace(new CurrentSpan());
        } catch (LinkageError e) {
            // the host has no OpenTelemetry
            return new RejectionTrace(null);
        }
    }

    /** Records a rejection; to be called on the request's thread, where its span is current. */
    public void rejected(Verdict.Rejected rejected) {
        if (span != null) {
            try {
                span.rejected(rejected);
            } catch (RuntimeException | LinkageError e) {
                // a failing span or an incompatible API must not affect the rejection
                return;
            }
        }
    }

    /** Returns a recorder for the span that is current now, for a rejection that is decided on another thread. */
    public Consumer<Verdict.Rejected> captured() {
        if (span == null) {
            return rejected -> {};
        }
        try {
            Consumer<Verdict.Rejected> captured = span.captured();
            return rejected -> record(rejected, captured);
        } catch (RuntimeException | LinkageError e) {
            return rejected -> {};
        }
    }

    private static void record(Verdict.Rejected rejected, Consumer<Verdict.Rejected> span) {
        try {
            span.accept(rejected);
        } catch (RuntimeException | LinkageError e) {
            // as above
            return;
        }
    }
}
