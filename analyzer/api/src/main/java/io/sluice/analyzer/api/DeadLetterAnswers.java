package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.topology.DeadLetter;
import io.sluice.contract.json.SafeBytes;
import io.sluice.contract.topic.OffsetRange;
import io.sluice.contract.topic.TopicReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
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

    /** Records of each partition that are looked at for one answer. */
    private static final long MOST_LOOKED_AT = 20_000;

    private static final int GROWTH = 8;
    private static final Comparator<ConsumerRecord<byte[], byte[]>> OLDEST_FIRST =
            Comparator.<ConsumerRecord<byte[], byte[]>>comparingLong(ConsumerRecord::timestamp)
                    .thenComparingLong(ConsumerRecord::offset);

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

    /** Looks further back while there are fewer letters than wanted: the topic also has the marks of retries. */
    private List<ConsumerRecord<byte[], byte[]>> newest(int limit) {
        try (TopicReader reader = new TopicReader(client, IsolationLevel.READ_COMMITTED, PATIENCE, PATIENCE)) {
            for (long count = limit; ; count *= GROWTH) {
                List<OffsetRange> ranges = reader.newest(topic, Math.min(count, MOST_LOOKED_AT));
                List<ConsumerRecord<byte[], byte[]>> letters = newest(limit, reader, ranges);
                boolean whole = ranges.stream().allMatch(range -> range.begin() <= range.oldest());
                if (letters.size() == limit || whole || count >= MOST_LOOKED_AT) {
                    return letters;
                }
            }
        }
    }

    private static List<ConsumerRecord<byte[], byte[]>> newest(
            int limit, TopicReader reader, List<OffsetRange> ranges) {
        PriorityQueue<ConsumerRecord<byte[], byte[]>> newest = new PriorityQueue<>(OLDEST_FIRST);
        reader.read(ranges, record -> {
            // marks have no reason
            if (header(record, DeadLetter.REASON) != null && header(record, DeadLetter.TOPIC) != null) {
                newest.add(record);
                if (newest.size() > limit) {
                    newest.remove();
                }
            }
        });
        List<ConsumerRecord<byte[], byte[]>> letters = new ArrayList<>(newest);
        letters.sort(OLDEST_FIRST.reversed());
        return letters;
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
