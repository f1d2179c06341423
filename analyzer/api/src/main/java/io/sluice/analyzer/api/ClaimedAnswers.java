package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RequestEvent;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Answers {@code /claimed} from the newest records of the request logs: sources and callers that are only claimed, for which policies by caller
 * do not lock. Thread-safe.
 */
final class ClaimedAnswers {
    private static final int LISTED = 20;
    /** Callers that are counted; further ones add to the sums of their source alone. */
    private static final int CALLERS = 10_000;

    private final NewestEvents events;

    /** Requests of a source. */
    private static final class Source {
        private final Identity identity;
        private long requests;
        private long claimed;

        Source(Identity identity) {
            this.identity = identity;
        }
    }

    private record Caller(String caller, String service, String topic) {}

    ClaimedAnswers(NewestEvents events) {
        this.events = events;
    }

    Answer answer() throws Question.Wrong {
        return events.answer(newest -> {
            Map<String, Source> sources = new LinkedHashMap<>();
            Map<Caller, Long> callers = new HashMap<>();
            for (NewestEvents.SourceLog log : newest) {
                String topic = log.source().topic();
                Source source = sources.computeIfAbsent(
                        topic, any -> new Source(log.format().identity()));
                log.read(event -> count(event, topic, source, callers));
            }
            return Answer.ok(to -> write(sources, callers, to));
        });
    }

    private static void count(RequestEvent event, String topic, Source source, Map<Caller, Long> callers) {
        source.requests += event.count();
        if (event.identity() == Identity.CLAIMED) {
            source.claimed += event.count();
            Caller caller = new Caller(event.caller(), Objects.requireNonNullElse(event.service(), ""), topic);
            if (callers.size() < CALLERS || callers.containsKey(caller)) {
                callers.merge(caller, event.count(), Long::sum);
            }
        }
    }

    private static void write(Map<String, Source> sources, Map<Caller, Long> callers, JsonGenerator to)
            throws IOException {
        to.writeArrayFieldStart("sources");
        for (Map.Entry<String, Source> one : sources.entrySet()) {
            Source source = one.getValue();
            to.writeStartObject();
            to.writeStringField("topic", one.getKey());
            to.writeNumberField("requests", source.requests);
            to.writeNumberField("claimed", source.claimed);
            // the weaker of event and source counts: a source that believes its events leaves it to them
            to.writeStringField("setting", source.identity == Identity.CLAIMED ? "source" : "agent");
            to.writeEndObject();
        }
        to.writeEndArray();
        to.writeArrayFieldStart("callers");
        List<Map.Entry<Caller, Long>> busiest = callers.entrySet().stream()
                .sorted(Map.Entry.<Caller, Long>comparingByValue().reversed())
                .limit(LISTED)
                .toList();
        for (Map.Entry<Caller, Long> one : busiest) {
            to.writeStartObject();
            to.writeStringField("caller", one.getKey().caller());
            to.writeStringField("service", one.getKey().service());
            to.writeStringField("topic", one.getKey().topic());
            to.writeNumberField("requests", one.getValue());
            to.writeEndObject();
        }
        to.writeEndArray();
    }
}
