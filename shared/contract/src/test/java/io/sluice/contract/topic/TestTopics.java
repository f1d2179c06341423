package io.sluice.contract.topic;

import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Topics of a real broker, made and filled. */
final class TestTopics implements AutoCloseable {
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;

    TestTopics(String broker) {
        Map<String, Object> config = Map.of("bootstrap.servers", broker);
        admin = Admin.create(config);
        producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    Admin admin() {
        return admin;
    }

    void create(String topic, int partitions) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, Optional.of(partitions), Optional.empty())))
                .all()
                .get();
    }

    void delete(String topic) throws Exception {
        admin.deleteTopics(List.of(topic)).all().get();
    }

    /** Deletes a topic and creates it again, empty. */
    void recreate(String topic, int partitions) throws Exception {
        delete(topic);
        await().atMost(Duration.ofMinutes(2)).ignoreExceptions().until(() -> {
            create(topic, partitions);
            return true;
        });
    }

    void partitions(String topic, int partitions) throws Exception {
        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                .all()
                .get();
    }

    void send(String topic, int partition, String... values) throws Exception {
        for (String value : values) {
            send(topic, partition, value.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8));
        }
    }

    void send(String topic, int partition, byte[] key, byte[] value) throws Exception {
        producer.send(new ProducerRecord<>(topic, partition, key, value)).get();
    }

    @Override
    public void close() {
        producer.close();
        admin.close();
    }
}
