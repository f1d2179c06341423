package io.sluice.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports a wrong property at start without a stack trace. */
final class InvalidSluicePropertyAnalyzer extends AbstractFailureAnalyzer<InvalidSluiceProperty> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidSluiceProperty cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Correct " + cause.property() + ", or switch the gate off with sluice.enabled=false.",
                cause);
    }
}
