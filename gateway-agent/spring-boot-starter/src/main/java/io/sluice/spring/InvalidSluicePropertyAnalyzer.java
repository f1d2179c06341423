package io.sluice.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says at start what is wrong, instead of a stack of traces. */
final class InvalidSluicePropertyAnalyzer extends AbstractFailureAnalyzer<InvalidSluiceProperty> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidSluiceProperty cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Correct " + cause.property() + ", or switch the gate off with sluice.enabled=false.",
                cause);
    }
}
