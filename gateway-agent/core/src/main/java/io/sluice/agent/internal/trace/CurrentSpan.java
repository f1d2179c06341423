package io.sluice.agent.internal.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.sluice.agent.verdict.Verdict;
import java.util.Locale;
import java.util.function.Consumer;

/** The only class that refers to OpenTelemetry; it cannot be loaded without. The caller is not recorded: traces may go to places where names must not. */
final class CurrentSpan {
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("sluice.outcome");
    private static final AttributeKey<String> REASON = AttributeKey.stringKey("sluice.reason");
    private static final AttributeKey<String> POLICY = AttributeKey.stringKey("sluice.policy");
    private static final AttributeKey<Double> RETRY_AFTER = AttributeKey.doubleKey("sluice.retry_after");
    private static final double MILLIS_A_SECOND = 1_000;

    void rejected(Verdict.Rejected rejected) {
        record(rejected, Span.current());
    }

    /** Returns a recorder for the span that is current now. */
    Consumer<Verdict.Rejected> captured() {
        Span span = Span.current();
        return rejected -> record(rejected, span);
    }

    private static void record(Verdict.Rejected rejected, Span span) {
        if (span.isRecording()) {
            span.setAttribute(OUTCOME, rejected.outcome().name().toLowerCase(Locale.ROOT));
            span.setAttribute(REASON, rejected.reason().name().toLowerCase(Locale.ROOT));
            span.setAttribute(POLICY, rejected.policy());
            span.setAttribute(RETRY_AFTER, rejected.retryAfterMillis() / MILLIS_A_SECOND);
        }
    }
}
