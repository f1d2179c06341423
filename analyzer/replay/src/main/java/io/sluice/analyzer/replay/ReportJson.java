package io.sluice.analyzer.replay;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.contract.json.BoundedJson;
import io.sluice.contract.policy.Policy;
import java.io.IOException;
import java.util.List;

/** The result for programs. */
public final class ReportJson {
    private static final int TOP = 20;

    private ReportJson() {}

    public static byte[] write(ReplayResult result) {
        return BoundedJson.write(to -> {
            to.writeStartObject();
            to.writeNumberField("events", result.events());
            to.writeNumberField("deadLetters", result.deadLetters().count());
            to.writeNumberField("outOfOrder", result.outOfOrder());
            to.writeNumberField("from", result.from());
            to.writeNumberField("to", result.to());
            policies(to, result);
            locks(new LockJson(to), result);
            callers(to, "topCallers", result.callers().top(TOP));
            to.writeArrayFieldStart("deadLetterReasons");
            for (DeadLetters.Reason reason : result.deadLetters().reasons()) {
                to.writeStartObject();
                to.writeStringField("reason", reason.text());
                to.writeNumberField("count", reason.count());
                texts(to, "examples", reason.examples());
                to.writeEndObject();
            }
            to.writeEndArray();
            suggestion(to, result);
            texts(to, "notes", result.notes());
            to.writeNumberField("lines", result.lines());
            to.writeNumberField("seconds", result.seconds());
            to.writeEndObject();
        });
    }

    private static void policies(JsonGenerator to, ReplayResult result) throws IOException {
        to.writeArrayFieldStart("policies");
        if (result.tried() != null) {
            for (Policy policy : result.tried().set().policies()) {
                to.writeStartObject();
                to.writeStringField("name", policy.name());
                to.writeStringField("revision", policy.revision());
                to.writeEndObject();
            }
        }
        to.writeEndArray();
    }

    private static void locks(LockJson json, ReplayResult result) throws IOException {
        if (result.tried() != null) {
            json.tried(result.tried());
        } else {
            json.none();
        }
        if (result.comparison() != null) {
            json.changes(result.comparison());
        }
    }

    private static void callers(JsonGenerator to, String name, List<Callers.Caller> callers) throws IOException {
        to.writeArrayFieldStart(name);
        for (Callers.Caller caller : callers) {
            to.writeStartObject();
            to.writeStringField("caller", caller.name());
            to.writeNumberField("count", caller.count());
            to.writeNumberField("share", caller.share());
            to.writeNumberField("p50", caller.p50());
            to.writeNumberField("p99", caller.p99());
            to.writeNumberField("max", caller.max());
            to.writeEndObject();
        }
        to.writeEndArray();
    }

    private static void suggestion(JsonGenerator to, ReplayResult result) throws IOException {
        Suggestion suggestion = result.suggestion();
        if (suggestion == null) {
            return;
        }
        to.writeObjectFieldStart("suggestion");
        to.writeNumberField("perMinute", suggestion.perMinute());
        to.writeNumberField("perSecond", suggestion.perSecond());
        callers(to, "over", suggestion.over());
        to.writeStringField("policies", suggestion.policies());
        to.writeEndObject();
    }

    private static void texts(JsonGenerator to, String name, List<String> texts) throws IOException {
        to.writeArrayFieldStart(name);
        for (String text : texts) {
            to.writeString(text);
        }
        to.writeEndArray();
    }
}
