package io.sluice.analyzer.api;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.replay.AccessLog;
import io.sluice.analyzer.replay.Lines;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.settings.SourceSettings;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;

/** The events of the newest {@value #RECORDS} records of all request logs, read for one question at a time. Thread-safe. */
final class NewestEvents {
    private static final int RECORDS = 50_000;

    private final RequestLogs logs;
    private final Semaphore reading = new Semaphore(1);

    /** The log of a partition. */
    record SourceLog(SourceSettings source, LogFormat format, AccessLog log) {
        /** Passes on each event that can be read. */
        void read(Consumer<RequestEvent> to) throws IOException {
            try (Lines lines = log.lines()) {
                for (byte[] line = lines.next(); line != null; line = lines.next()) {
                    RequestEvent event;
                    try {
                        event = format.read(line);
                    } catch (MalformedRecord e) {
                        // the analyzer has dead-lettered it
                        continue;
                    }
                    to.accept(event);
                }
            }
        }
    }

    /** Makes an answer of logs, which it may read more than once. */
    interface Use {
        Answer of(List<SourceLog> newest) throws IOException;
    }

    NewestEvents(RequestLogs logs) {
        this.logs = logs;
    }

    /** @throws Question.Wrong when another question is being answered, or Kafka does not answer */
    Answer answer(Use use) throws Question.Wrong {
        if (!reading.tryAcquire()) {
            throw new Question.Wrong(503, "the request log is being read for others; try again in a few seconds");
        }
        try {
            return use.of(logs.newestRecords(RECORDS).stream()
                    .flatMap(log -> {
                        SourceSettings source = log.source();
                        return source == null
                                ? Stream.empty()
                                : Stream.of(new SourceLog(source, LogFormats.of(source), log));
                    })
                    .toList());
        } catch (IOException e) {
            throw new Question.Wrong(503, String.valueOf(e.getMessage()));
        } catch (KafkaException e) {
            throw KafkaProblem.answer(e);
        } finally {
            reading.release();
        }
    }
}
