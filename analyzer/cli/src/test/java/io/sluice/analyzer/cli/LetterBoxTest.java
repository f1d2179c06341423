package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.run.TestKafka;
import io.sluice.analyzer.topology.DeadLetter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
class LetterBoxTest {
    private static final long HOUR = 3_600_000;
    private static final String PREFIX = TestKafka.name("letters") + ".";

    @TempDir
    private Path folder;

    private final AtomicLong clock = new AtomicLong(System.currentTimeMillis());

    @Test
    void readAgain_dropsLettersThatHaveBecomeOlder() throws Exception {
        Connection connection = new Connection();
        connection.config =
                Files.writeString(folder.resolve("sluice.yml"), """
                        kafka: { bootstrap.servers: "%s" }
                        topics: { prefix: %s, partitions: 1 }
                        """.formatted(TestKafka.bootstrapServers(), PREFIX));
        CommandResult.run("topics", "create", "--config", connection.config.toString());
        LetterBox box = new LetterBox(HOUR, 2, letter -> true, clock::get);
        for (int i = 0; i < 3; i++) {
            letter("early", i);
        }
        box.read(connection);
        assertThat(box.many()).isEqualTo(3);

        clock.addAndGet(2 * HOUR);
        box.read(connection);
        assertThat(box.many()).isZero();
        assertThat(box.letters()).isEmpty();
        assertThat(box.reasons()).isEmpty();

        clock.set(System.currentTimeMillis() + HOUR / 2);
        letter("late", 3);
        box.read(connection);
        assertThat(box.reasons()).isEqualTo(Map.of("late", 1L));
        assertThat(box.letters()).extracting(Letter::reason).containsExactly("late");
    }

    private static void letter(String reason, long offset) throws Exception {
        ProducerRecord<byte[], byte[]> letter =
                new ProducerRecord<>(PREFIX + "dead-letters", TestKafka.utf8("what could not be read"));
        letter.headers()
                .add(DeadLetter.REASON, TestKafka.utf8(reason))
                .add(DeadLetter.TOPIC, TestKafka.utf8("sluice.requests"))
                .add(DeadLetter.PARTITION, TestKafka.utf8("0"))
                .add(DeadLetter.OFFSET, TestKafka.utf8(Long.toString(offset)));
        try (KafkaProducer<byte[], byte[]> producer = TestKafka.producer()) {
            producer.send(letter).get();
        }
    }
}
