package io.sluice.analyzer.api;

import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes what operators say to their topic. It happens rarely: there is a producer only while it does. Thread-safe. */
final class OperatorWriter {
    private static final int PATIENCE_MILLIS = 5_000;

    private final Map<String, Object> client;
    private final String topic;

    OperatorWriter(Map<String, Object> client, String topic) {
        this.client = new HashMap<>(client);
        this.client.put("max.block.ms", PATIENCE_MILLIS);
        this.client.put("request.timeout.ms", PATIENCE_MILLIS);
        this.client.put("delivery.timeout.ms", PATIENCE_MILLIS);
        this.client.put("linger.ms", 0);
        this.topic = topic;
    }

    /**
     * Waits until the broker has it.
     *
     * @return the broker's time of it
     * @throws IOException when the broker did not take it, as far as is known
     */
    long write(OperatorRecord record) throws IOException {
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(client, bytes, bytes)) {
            byte[] key = CompositeKey.bytes(OperatorJson.key(record));
            return producer.send(new ProducerRecord<>(topic, key, OperatorJson.write(record)))
                    .get()
                    .timestamp();
        } catch (ExecutionException | KafkaException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException("Kafka did not take it: " + cause.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("stopped before Kafka answered", e);
        }
    }
}
