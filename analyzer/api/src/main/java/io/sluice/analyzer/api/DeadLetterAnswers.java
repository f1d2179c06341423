package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.topology.DeadLetter;
import io.sluice.contract.json.SafeBytes;
import io.sluice.contract.topic.TopicReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code /dead-letters}: the newest records that could not be read, by origin and reason, with a sample of their content as printable text. Each answer reads
 * Kafka; one does at once. Thread-safe.
 */
final class DeadLetterAnswers {
    private static final int MOST = 500;
    /** Bytes of a record that its sample shows. */
    private static final int SAMPLE = 200;

    private static final int USUAL = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Map<String, Object> client;
    private final String topic;
    private final Semaphore reading = new Semaphore(1);

    /** @param client at least {@code bootstrap.servers} */
    DeadLetterAnswers(Map<String, Object> client, String topic) {
        this.client = Map.copyOf(client);
        this.topic = topic;
    }

    Answer to(Question question) throws Question.Wrong {
        question.allow(List.of("limit"));
        int limit = question.number("limit", USUAL, 1, MOST);
        if (!reading.tryAcquire()) {
            throw new Question.Wrong(503, "the dead letters are being read for others; ask again in a second");
        }
        try {
            List<ConsumerRecord<byte[], byte[]>> letters = newest(limit);
            return Answer.ok(to -> {
                to.writeArrayFieldStart("letters");
                for (ConsumerRecord<byte[], byte[]> letter : letters) {
                    write(letter, to);
                }
                to.writeEndArray();
            });
        } catch (UnknownTopicOrPartitionException e) {
            throw new Question.Wrong(503, "topic " + topic + " is missing; './sluice topics create' creates it");
        } catch (AuthorizationException e) {
            throw new Question.Wrong(
                    503, "the analyzer may not read " + topic + "; grant it READ, or use './sluice dead-letters list'");
        } catch (KafkaException e) {
            throw KafkaProblem.answer(e);
        } finally {
            reading.release();
        }
    }

    private List<ConsumerRecord<byte[], byte[]>> newest(int limit) {
        List<ConsumerRecord<byte[], byte[]>> letters = new ArrayList<>();
        try (TopicReader reader = new TopicReader(client, IsolationLevel.READ_COMMITTED, PATIENCE, PATIENCE)) {
            // the topic also has the marks of retries, which have no reason
            reader.read(reader.newest(topic, limit), record -> {
                if (header(record, DeadLetter.REASON) != null && header(record, DeadLetter.TOPIC) != null) {
                    letters.add(record);
                }
            });
        }
        letters.sort(Comparator.<ConsumerRecord<byte[], byte[]>>comparingLong(ConsumerRecord::timestamp)
                .reversed());
        return List.copyOf(letters.subList(0, Math.min(limit, letters.size())));
    }

    private static void write(ConsumerRecord<byte[], byte[]> letter, JsonGenerator to) throws IOException {
        to.writeStartObject();
        to.writeStringField("id", letter.partition() + "-" + letter.offset());
        to.writeNumberField("appended", letter.timestamp());
        to.writeStringField("reason", header(letter, DeadLetter.REASON));
        to.writeStringField("topic", header(letter, DeadLetter.TOPIC));
        to.writeStringField("partition", header(letter, DeadLetter.PARTITION));
        to.writeStringField("offset", header(letter, DeadLetter.OFFSET));
        to.writeStringField("length", header(letter, DeadLetter.LENGTH));
        to.writeStringField("sample", sample(letter.value()));
        to.writeEndObject();
    }

    /** Returns the first bytes as printable text. */
    private static String sample(byte @Nullable [] value) {
        if (value == null) {
            return "";
        }
        int end = Math.min(SAMPLE, value.length);
        // not in the middle of a character
        while (end > 0 && end < value.length && (value[end] & 0xc0) == 0x80) {
            end--;
        }
        return SafeBytes.text(Arrays.copyOf(value, end));
    }

    private static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }
}
