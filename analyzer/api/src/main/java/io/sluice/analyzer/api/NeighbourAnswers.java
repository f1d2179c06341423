package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.replay.AccessLog;
import io.sluice.analyzer.replay.Lines;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;

/**
 * Answers {@code /callers/CALLER/neighbours} from the newest {@value #RECORDS} records of the request log: other callers with the addresses or labels of
 * a caller. One request is answered at a time. Thread-safe.
 */
final class NeighbourAnswers {
    private static final int RECORDS = 50_000;
    private static final int LISTED = 10;

    private final RequestLogs logs;
    private final Semaphore reading = new Semaphore(1);

    NeighbourAnswers(RequestLogs logs) {
        this.logs = logs;
    }

    Answer to(String caller) throws Question.Wrong {
        if (!reading.tryAcquire()) {
            throw new Question.Wrong(503, "the request log is being read for others; try again in a few seconds");
        }
        try {
            List<AccessLog> newest = logs.newestRecords(RECORDS);
            SharedAttributes shared = new SharedAttributes(caller);
            long[] events = new long[1];
            read(newest, event -> {
                events[0]++;
                shared.learn(event);
            });
            read(newest, shared::compare);
            return Answer.ok(to -> write(shared, events[0], to));
        } catch (IOException e) {
            throw new Question.Wrong(503, String.valueOf(e.getMessage()));
        } catch (KafkaException e) {
            throw new Question.Wrong(503, "Kafka: " + e.getMessage());
        } finally {
            reading.release();
        }
    }

    private static void read(List<AccessLog> logs, Consumer<RequestEvent> to) throws IOException {
        for (AccessLog log : logs) {
            if (log.source() == null) {
                continue;
            }
            LogFormat format = LogFormats.of(log.source());
            try (Lines lines = log.lines()) {
                for (byte[] line = lines.next(); line != null; line = lines.next()) {
                    event(format, line, to);
                }
            }
        }
    }

    private static void event(LogFormat format, byte[] line, Consumer<RequestEvent> to) {
        RequestEvent event;
        try {
            event = format.read(line);
        } catch (MalformedRecord e) {
            // the analyzer has dead-lettered it
            return;
        }
        to.accept(event);
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
