package io.sluice.faults.net;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Writes any bytes to any topic, in the order in which they are given. One thread. */
public final class Records implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    private Records(KafkaProducer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    public static Records to(String bootstrap) {
        return new Records(new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "linger.ms", "2", "batch.size", "131072"),
                new ByteArraySerializer(),
                new ByteArraySerializer()));
    }

    /** Writes a record to a partition; it is there after {@link #flush}. */
    public void send(String topic, int partition, byte @Nullable [] key, byte @Nullable [] value) {
        send(new ProducerRecord<>(topic, partition, key, value));
    }

    /** Writes any record. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback hears of a failure
    public void send(ProducerRecord<byte[], byte[]> record) {
        producer.send(record, (metadata, e) -> {
            if (e != null) {
                failure.set(e);
            }
        });
    }

    /**
     * Waits until all of them are stored.
     *
     * @throws IllegalStateException when one of them could not be
     */
    public void flush() {
        producer.flush();
        Exception e = failure.get();
        if (e != null) {
            throw new IllegalStateException("a record could not be stored", e);
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
