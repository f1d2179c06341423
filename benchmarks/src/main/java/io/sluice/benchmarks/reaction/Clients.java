package io.sluice.benchmarks.reaction;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Bare clients with the settings that the analyzer and the agents give theirs. */
final class Clients {
    private static final int BATCH_BYTES = 128 * 1024;

    private Clients() {}

    /** As a stream thread's: what is sent leaves at once. */
    static KafkaProducer<byte[], byte[]> relay(String bootstrap) {
        return producer(bootstrap, 0, "all");
    }

    /** As an agent's, which lets its access log wait for a batch. */
    static KafkaProducer<byte[], byte[]> log(String bootstrap) {
        return producer(bootstrap, 10, "1");
    }

    /** As an agent's, but at once: a reaction is measured from the event's leaving, not from its waiting for others. */
    static KafkaProducer<byte[], byte[]> crossing(String bootstrap) {
        return producer(bootstrap, 0, "1");
    }

    private static KafkaProducer<byte[], byte[]> producer(String bootstrap, int linger, String acks) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, linger);
        settings.put(ProducerConfig.ACKS_CONFIG, acks);
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, acks.equals("all"));
        settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        settings.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** As a stream thread's. */
    static KafkaConsumer<byte[], byte[]> consumer(String bootstrap) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
