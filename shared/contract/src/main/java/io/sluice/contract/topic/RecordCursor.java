package io.sluice.contract.topic;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The records of offset ranges, those of a partition in their order. Holds what one poll returned. Confined to one thread. */
public final class RecordCursor {
    private static final Duration POLL = Duration.ofMillis(200);

    private final Consumer<byte[], byte[]> consumer;
    private final Duration patience;
    private final @Nullable RecordSignatures signatures;
    private final Map<String, Long> refused;
    /** The ends of the partitions that are not read yet. */
    private final Map<TopicPartition, Long> open = new HashMap<>();

    private Iterator<ConsumerRecord<byte[], byte[]>> records = Collections.emptyIterator();

    /** @param refused is given the number of records that {@code signatures} refuse, by topic */
    RecordCursor(
            Consumer<byte[], byte[]> consumer,
            Collection<OffsetRange> ranges,
            Duration patience,
            @Nullable RecordSignatures signatures,
            Map<String, Long> refused) {
        this.signatures = signatures;
        this.refused = refused;
        this.consumer = consumer;
        this.patience = patience;
        ranges.forEach(range -> open.put(range.partition(), range.end()));
        consumer.assign(open.keySet());
        // an earlier cursor paused what it had read
        consumer.resume(open.keySet());
        ranges.forEach(range -> consumer.seek(range.partition(), range.begin()));
    }

    /**
     * Returns the next record, or {@code null} at the end of all ranges.
     *
     * @throws KafkaException when a record was deleted before it was read, the broker rejects the reading, or nothing arrives for too long
     */
    public @Nullable ConsumerRecord<byte[], byte[]> next() {
        while (records.hasNext() || fetch()) {
            ConsumerRecord<byte[], byte[]> record = records.next();
            Long end = open.get(new TopicPartition(record.topic(), record.partition()));
            if (end != null && record.offset() < end) {
                if (signatures == null || signatures.refusal(record) == null) {
                    return record;
                }
                refused.merge(record.topic(), 1L, Long::sum);
            }
        }
        return null;
    }

    /** Leaves out what is not read yet of a partition. */
    public void skip(TopicPartition partition) {
        if (open.remove(partition) != null) {
            consumer.pause(List.of(partition));
        }
    }

    /** Gets more records; false at the end of all ranges. */
    private boolean fetch() {
        long reached = -1;
        long silentSince = System.nanoTime();
        while (true) {
            // the marker of a transaction moves the position without a record
            List.copyOf(open.entrySet()).stream()
                    .filter(range -> consumer.position(range.getKey()) >= range.getValue())
                    .forEach(range -> skip(range.getKey()));
            if (open.isEmpty()) {
                return false;
            }
            records = consumer.poll(POLL).iterator();
            if (records.hasNext()) {
                return true;
            }
            long positions =
                    open.keySet().stream().mapToLong(consumer::position).sum();
            if (positions != reached) {
                reached = positions;
                silentSince = System.nanoTime();
            } else if (System.nanoTime() - silentSince > patience.toNanos()) {
                throw new KafkaException("nothing came for " + patience.toSeconds() + " s from " + open.keySet()
                        + "; is Kafka running?");
            }
        }
    }
}
