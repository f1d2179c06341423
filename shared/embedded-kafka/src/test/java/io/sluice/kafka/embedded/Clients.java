package io.sluice.kafka.embedded;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Plain Kafka clients, as any user would write them. */
record Clients(Map<String, Object> config) {

    static Clients of(String bootstrapServers) {
        return new Clients(Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "request.timeout.ms",
                60_000,
                "default.api.timeout.ms",
                120_000));
    }

    static Clients scram(String bootstrapServers, String user, String password) {
        Map<String, Object> config = new HashMap<>(of(bootstrapServers).config());
        config.put("security.protocol", "SASL_PLAINTEXT");
        config.put("sasl.mechanism", "SCRAM-SHA-512");
        config.put(
                "sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
                        .formatted(user, password));
        return new Clients(config);
    }

    void createTopic(String topic) throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(config)) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        }
    }

    /** Returns when the broker has acknowledged the value. */
    void send(String topic, String value) throws InterruptedException, ExecutionException {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, value.getBytes(StandardCharsets.UTF_8)))
                    .get();
        }
    }

    /** All values of a topic with one partition. */
    List<String> read(String topic) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            consumer.seekToBeginning(List.of(partition));
            List<String> values = new ArrayList<>();
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(200))) {
                    values.add(new String(each.value(), StandardCharsets.UTF_8));
                }
            }
            return values;
        }
    }
}
