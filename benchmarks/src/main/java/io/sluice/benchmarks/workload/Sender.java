package io.sluice.benchmarks.workload;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Sends in bulk; what the broker refused is told when it closes. */
public final class Sender implements AutoCloseable {
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final KafkaProducer<byte[], byte[]> producer;

    public Sender(String bootstrapServers) {
        producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "compression.type",
                        "lz4",
                        "batch.size",
                        256 * 1024,
                        "linger.ms",
                        20,
                        "buffer.memory",
                        64L << 20,
                        // a topic that was made this moment may refuse a first batch and take the second: no retry of
                        // the first is in order then
                        "max.in.flight.requests.per.connection",
                        1),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    public void send(ProducerRecord<byte[], byte[]> record) {
        var unused = producer.send(record, (sent, wrong) -> {
            if (wrong != null) {
                failure.set(wrong);
            }
        });
    }

    public void send(String topic, int partition, byte @Nullable [] key, byte[] value) {
        send(new ProducerRecord<>(topic, partition, key, value));
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
