package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.window.Panes;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;

/** One subject's window under one policy. */
record CallerWindow(Policy policy, List<String> subject, Panes panes) {

    void write(JsonGenerator to) throws IOException {
        double scale = policy.measure().scale();
        long paneMillis = policy.window().paneMillis();
        to.writeStartObject();
        to.writeStringField("policy", policy.name());
        Answer.texts("per", policy.per().stream().map(Attribute::toString).toList(), to);
        Answer.texts("subject", subject, to);
        to.writeStringField("measure", policy.measure().name());
        to.writeNumberField("windowMillis", policy.window().millis());
        to.writeNumberField("paneMillis", paneMillis);
        to.writeNumberField("from", panes.firstPane() * paneMillis);
        to.writeNumberField("sum", panes.sum() / scale);
        OptionalDouble threshold = threshold();
        if (threshold.isPresent()) {
            to.writeNumberField("threshold", threshold.getAsDouble());
        }
        to.writeArrayFieldStart("amounts");
        for (long amount : panes.admitted()) {
            to.writeNumber(amount / scale);
        }
        to.writeEndArray();
        numbers("admitted", panes.admittedCount(), to);
        numbers("rejected", panes.rejectedCount(), to);
        to.writeEndObject();
    }

    /** Allowed sum of the window; empty where that depends on others, or on what is usual. */
    private OptionalDouble threshold() {
        LockRule rule = policy.lockFor(subject);
        return rule == null
                ? OptionalDouble.empty()
                : rule.when().stream()
                        .filter(Condition.Above.class::isInstance)
                        .mapToDouble(condition -> ((Condition.Above) condition).threshold())
                        .min();
    }

    private static void numbers(String field, long[] values, JsonGenerator to) throws IOException {
        to.writeFieldName(field);
        to.writeArray(values, 0, values.length);
    }
}
