package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.run.StoredSubject;
import io.sluice.analyzer.window.Panes;
import io.sluice.contract.policy.Attribute;
import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One subject's window under one policy.
 *
 * @param share of the load of the policy, 0 to 1; empty while it is not known
 */
record CallerWindow(Policy policy, List<String> subject, StoredSubject stored, OptionalDouble share) {

    void write(JsonGenerator to) throws IOException {
        Panes panes = stored.window();
        double scale = policy.measure().scale();
        to.writeStartObject();
        to.writeStringField("policy", policy.name());
        Answer.texts("per", policy.per().stream().map(Attribute::toString).toList(), to);
        Answer.texts("subject", subject, to);
        to.writeStringField("measure", policy.measure().name());
        to.writeNumberField("windowMillis", policy.window().millis());
        to.writeNumberField("paneMillis", policy.window().paneMillis());
        to.writeNumberField("sum", panes.sum() / scale);
        OptionalDouble threshold = threshold(policy, subject);
        if (threshold.isPresent()) {
            to.writeNumberField("threshold", threshold.getAsDouble());
        }
        OptionalDouble limit = stored.limit();
        if (limit.isPresent()) {
            to.writeNumberField("limit", limit.getAsDouble());
        }
        if (share.isPresent()) {
            to.writeNumberField("share", Math.round(share.getAsDouble() * 1_000) / 1_000.0);
        }
        StandingsJson.write(stored.standings(), to);
        write(panes, to);
        if (stored.earlier().isPresent()) {
            to.writeObjectFieldStart("earlier");
            write(stored.earlier().get(), to);
            to.writeEndObject();
        }
        to.writeEndObject();
    }

    private void write(Panes panes, JsonGenerator to) throws IOException {
        double scale = policy.measure().scale();
        to.writeNumberField("from", panes.firstPane() * policy.window().paneMillis());
        to.writeArrayFieldStart("amounts");
        for (long amount : panes.admitted()) {
            to.writeNumber(amount / scale);
        }
        to.writeEndArray();
        numbers("admitted", panes.admittedCount(), to);
        numbers("rejected", panes.rejectedCount(), to);
    }

    /** Returns the allowed sum of a window; empty where that depends on others, or on what is usual. */
    static OptionalDouble threshold(Policy policy, List<String> subject) {
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
