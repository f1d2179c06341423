package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class DeadLetterLogTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong now = new AtomicLong();
    private final DeadLetterLog deadLetters = new DeadLetterLog(now::get);
    private final Logger logger = (Logger) LoggerFactory.getLogger(DeadLetterLog.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
    }

    private record Origin(String topic, int partition, long offset) implements RecordMetadata {}

    private void add(DeadLetter.Kind kind, int times, long firstOffset) {
        for (int i = 0; i < times; i++) {
            deadLetters.add(kind, new Origin("sluice.requests", 3, firstOffset + i), "no JSON");
        }
    }

    private List<String> lines() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void add_first_isLoggedAtOnceWithItsPlace() {
        add(DeadLetter.Kind.MALFORMED, 1, 41);

        assertThat(lines()).singleElement().asString().contains("1 record", "sluice.requests-3 offset 41: no JSON");
    }

    @Test
    void add_thousands_areOneLineAMinuteForEachKind() {
        add(DeadLetter.Kind.MALFORMED, 1, 0);
        add(DeadLetter.Kind.EMPTY, 1, 1);
        add(DeadLetter.Kind.MALFORMED, 23_000, 2);
        now.set(59 * SECOND);
        deadLetters.flush();
        assertThat(lines()).hasSize(2);

        now.set(60 * SECOND);
        deadLetters.flush();

        assertThat(lines()).hasSize(3);
        assertThat(lines().get(2)).contains("23000 records", "offset 2: no JSON");
        now.set(180 * SECOND);
        deadLetters.flush();
        assertThat(lines()).hasSize(3);
    }

    @Test
    void close_waitingRecords_areLogged() {
        add(DeadLetter.Kind.USAGE, 5, 0);

        deadLetters.close();

        assertThat(lines()).hasSize(2);
        assertThat(lines().get(1)).contains("4 records");
    }
}
