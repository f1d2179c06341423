package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Map;

/**
 * Answers {@code /callers/CALLER/neighbours} from the newest records of the request log: other callers with the addresses or labels of a caller.
 * Thread-safe.
 */
final class NeighbourAnswers {
    private static final int LISTED = 10;

    private final NewestEvents events;

    NeighbourAnswers(NewestEvents events) {
        this.events = events;
    }

    Answer to(String caller) throws Question.Wrong {
        return events.answer(newest -> {
            SharedAttributes shared = new SharedAttributes(caller);
            long[] read = new long[1];
            for (NewestEvents.SourceLog log : newest) {
                log.read(event -> {
                    read[0]++;
                    shared.learn(event);
                });
            }
            for (NewestEvents.SourceLog log : newest) {
                log.read(shared::compare);
            }
            return Answer.ok(to -> write(shared, read[0], to));
        });
    }

    private static void write(SharedAttributes shared, long events, JsonGenerator to) throws IOException {
        to.writeNumberField("records", events);
        to.writeNumberField("requests", shared.own());
        to.writeArrayFieldStart("shared");
        for (SharedAttributes.Shared one : shared.shared()) {
            to.writeStartObject();
            to.writeStringField("attribute", one.value().attribute());
            to.writeStringField("value", one.value().value());
            to.writeNumberField("others", one.requests().size());
            to.writeArrayFieldStart("callers");
            for (Map.Entry<String, Long> other :
                    one.requests().stream().limit(LISTED).toList()) {
                to.writeStartObject();
                to.writeStringField("caller", other.getKey());
                to.writeNumberField("requests", other.getValue());
                to.writeEndObject();
            }
            to.writeEndArray();
            to.writeEndObject();
        }
        to.writeEndArray();
    }
}
