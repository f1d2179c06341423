package io.sluice.benchmarks.recovery;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Sends in bulk as the analyzer's producer does; what the broker refused is told when it closes. */
final class Sender implements AutoCloseable {
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final KafkaProducer<byte[], byte[]> producer;

    Sender(String bootstrapServers) {
        producer = new KafkaProducer<>(Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "key.serializer",
                ByteArraySerializer.class,
                "value.serializer",
                ByteArraySerializer.class,
                "compression.type",
                "lz4",
                "batch.size",
                128 * 1024,
                "linger.ms",
                5));
    }

    void send(String topic, int partition, byte @Nullable [] key, byte[] value) {
        var unused = producer.send(new ProducerRecord<>(topic, partition, key, value), (sent, wrong) -> {
            if (wrong != null) {
                failure.set(wrong);
            }
        });
    }

    /** @throws IllegalStateException when the broker did not take something */
    @Override
    public void close() {
        producer.close();
        Exception wrong = failure.get();
        if (wrong != null) {
            throw new IllegalStateException("the broker did not take a record", wrong);
        }
    }
}
