package io.sluice.analyzer.cli;

import io.sluice.contract.key.CompositeKey;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Which originals were sent again already. Before anything is sent, a mark is written beside the dead letters and read back; of several
 * marks for one original the first in the log wins, and only its writer sends. So two retries at once, or a retry that died half way,
 * never make a second copy. All marks of an original have the same key, so they stand in one partition, in one order.
 */
final class RetryMarks {
    private static final String ATTEMPT = "sluice.retry";
    private static final String BY = "sluice.by";
    private final Map<String, Mark> first = new HashMap<>();

    /** Returns the first attempt. */
    record Mark(String attempt, String by, long append) {}

    /** Takes a record of the dead letters' topic; false when it is no mark. */
    boolean accept(ConsumerRecord<byte[], byte[]> record) {
        String attempt = Letter.header(record, ATTEMPT);
        if (attempt == null || record.key() == null) {
            return false;
        }
        String by = Letter.header(record, BY);
        first.putIfAbsent(
                new String(record.key(), StandardCharsets.UTF_8),
                new Mark(attempt, by == null ? "unknown" : by, record.timestamp()));
        return true;
    }

    /** The first mark of an original, or {@code null} when it was never tried again. */
    @Nullable
    Mark of(Letter.Origin origin) {
        return first.get(key(origin));
    }

    static ProducerRecord<byte[], byte[]> mark(String topic, Letter.Origin origin, String attempt, String by) {
        var mark = new ProducerRecord<byte[], byte[]>(topic, key(origin).getBytes(StandardCharsets.UTF_8), new byte[0]);
        mark.headers().add(ATTEMPT, attempt.getBytes(StandardCharsets.UTF_8));
        mark.headers().add(BY, by.getBytes(StandardCharsets.UTF_8));
        return mark;
    }

    private static String key(Letter.Origin origin) {
        return CompositeKey.text(List.of(
                "$retry", origin.topic(), Integer.toString(origin.partition()), Long.toString(origin.offset())));
    }
}
