package io.sluice.contract.event;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.contract.json.BoundedJson;
import io.sluice.contract.json.Envelope;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Request events as JSON: the values of our own requests topic. What is unknown or the default is left out. Thread-safe. */
public final class RequestEventJson {
    static final String TYPE = "request";
    private static final double MICROS = 1000;

    private RequestEventJson() {}

    public static byte[] write(RequestEvent event) {
        return BoundedJson.write(to -> {
            to.writeStartObject();
            to.writeNumberField("time", event.time());
            to.writeStringField("caller", event.caller());
            text("service", event.service(), to);
            text("route", event.route(), to);
            text("method", event.method(), to);
            text("ip", event.ip(), to);
            whole("status", event.status(), 0, to);
            whole("bytes", event.bytes(), 0, to);
            if (event.micros() != 0) {
                to.writeNumberField("millis", event.micros() / MICROS);
            }
            whole("cost", event.cost(), 0, to);
            text("agent", event.agent(), to);
            to.writeStringField("outcome", event.outcome().spelling());
            whole("count", event.count(), 1, to);
            to.writeStringField("identity", event.identity().spelling());
            labels(event.labels(), to);
            Envelope.end(to, TYPE);
        });
    }

    private static void text(String name, @Nullable String value, JsonGenerator to) throws IOException {
        if (value != null) {
            to.writeStringField(name, value);
        }
    }

    private static void whole(String name, long value, long unless, JsonGenerator to) throws IOException {
        if (value != unless) {
            to.writeNumberField(name, value);
        }
    }

    private static void labels(Map<String, String> labels, JsonGenerator to) throws IOException {
        if (labels.isEmpty()) {
            return;
        }
        to.writeObjectFieldStart("labels");
        for (Map.Entry<String, String> label : labels.entrySet()) {
            to.writeStringField(label.getKey(), label.getValue());
        }
        to.writeEndObject();
    }
}
