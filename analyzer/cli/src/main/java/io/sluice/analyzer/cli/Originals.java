package io.sluice.analyzer.cli;

import io.sluice.settings.InvalidSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Reads records again from where they stood. One thread. */
final class Originals implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final Connection connection;
    private final KafkaConsumer<byte[], byte[]> consumer;

    Originals(Connection connection) throws InvalidSettings, Refused {
        this.connection = connection;
        consumer = new TopicScan(connection, "").consumer();
    }

    /** The record there, or empty when it is gone. */
    Optional<ConsumerRecord<byte[], byte[]>> read(Letter.Origin origin) throws InvalidSettings, Refused {
        TopicPartition partition = new TopicPartition(origin.topic(), origin.partition());
        try {
            consumer.assign(List.of(partition));
            long begin = consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            if (origin.offset() < begin || origin.offset() >= end) {
                return Optional.empty();
            }
            consumer.seek(partition, origin.offset());
            long until = System.nanoTime() + Connection.PATIENCE.toNanos();
            while (consumer.position(partition) <= origin.offset()) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL).records(partition)) {
                    return record.offset() == origin.offset() ? Optional.of(record) : Optional.empty();
                }
                if (System.nanoTime() > until) {
                    throw connection.unreachable(new IllegalStateException(origin + " does not come"));
                }
            }
            return Optional.empty();
        } catch (KafkaException e) {
            throw connection.unreachable(e);
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
