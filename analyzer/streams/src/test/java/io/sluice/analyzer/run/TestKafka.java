package io.sluice.analyzer.run;

import static org.awaitility.Awaitility.await;

import io.sluice.kafka.embedded.EmbeddedKafka;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One real broker for all tests of this module, and a client's everyday doings. */
public final class TestKafka {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final EmbeddedKafka BROKER = start();
    private static final Admin ADMIN = Admin.create(client());

    private TestKafka() {}

    private static EmbeddedKafka start() {
        EmbeddedKafka broker = EmbeddedKafka.builder().start();
        Runtime.getRuntime().addShutdownHook(new Thread(broker::close));
        return broker;
    }

    public static Map<String, Object> client() {
        return new HashMap<>(Map.of("bootstrap.servers", BROKER.bootstrapServers()));
    }

    public static String bootstrapServers() {
        return BROKER.bootstrapServers();
    }

    public static Admin admin() {
        return ADMIN;
    }

    /** A name that no other test has. */
    public static String name(String what) {
        return what + "-" + NAMES.incrementAndGet();
    }

    public static String topic(String name, int partitions) {
        return topic(name, partitions, Map.of("message.timestamp.type", "LogAppendTime"));
    }

    public static String topic(String name, int partitions, Map<String, String> settings) {
        try {
            ADMIN.createTopics(List.of(new NewTopic(name, partitions, (short) 1).configs(settings)))
                    .all()
                    .get();
            // a broker answers before it can show what it made
            await().atMost(PATIENCE)
                    .until(() -> described(name)
                            .map(topic -> topic.partitions().size() == partitions
                                    && topic.partitions().stream().allMatch(partition -> partition.leader() != null))
                            .orElse(false));
            return name;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Optional<TopicDescription> described(String topic) throws Exception {
        try {
            return Optional.of(
                    ADMIN.describeTopics(List.of(topic)).allTopicNames().get().get(topic));
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof UnknownTopicOrPartitionException) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    public static KafkaProducer<byte[], byte[]> producer() {
        Map<String, Object> config = client();
        config.put("linger.ms", 5);
        // a topic that was made this moment may refuse a first batch and take the second: no retry of the first is in
        // order then
        config.put("max.in.flight.requests.per.connection", 1);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Sends un-keyed lines, to each partition in its turn, and returns when they are there. */
    public static void send(String topic, Collection<String> lines) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            int partitions = producer.partitionsFor(topic).size();
            int partition = 0;
            for (String line : lines) {
                var unused = producer.send(new ProducerRecord<>(topic, partition, null, utf8(line)));
                partition = (partition + 1) % partitions;
            }
        }
    }

    /** Sends lines to the first partition in a transaction of their own, and returns when it is committed and its marker is written. */
    public static void sendInTransaction(String topic, Collection<String> lines) {
        Map<String, Object> config = client();
        config.put("transactional.id", name("writer"));
        try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            for (String line : lines) {
                var unused = producer.send(new ProducerRecord<>(topic, 0, null, utf8(line)));
            }
            producer.commitTransaction();
        }
        // the coordinator answers before it writes the marker
        await().atMost(PATIENCE)
                .until(() -> end(topic, IsolationLevel.READ_COMMITTED) == end(topic, IsolationLevel.READ_UNCOMMITTED));
    }

    private static long end(String topic, IsolationLevel isolation) throws Exception {
        TopicPartition first = new TopicPartition(topic, 0);
        return ADMIN.listOffsets(Map.of(first, OffsetSpec.latest()), new ListOffsetsOptions(isolation))
                .partitionResult(first)
                .get()
                .offset();
    }

    public static void send(String topic, String key, byte[] value) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            var unused = producer.send(new ProducerRecord<>(topic, utf8(key), value));
        }
    }

    /** Sends such values with their keys, to a topic of one partition in this order. */
    public static void send(String topic, Map<String, byte[]> values) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            values.forEach((key, value) -> {
                var unused = producer.send(new ProducerRecord<>(topic, utf8(key), value));
            });
        }
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    /** Everything that is committed on a topic now. */
    public static List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        Map<String, Object> config = client();
        config.put("isolation.level", "read_committed");
        List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = IntStream.range(
                            0, consumer.partitionsFor(topic).size())
                    .mapToObj(partition -> new TopicPartition(topic, partition))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (!ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue())) {
                consumer.poll(Duration.ofMillis(100)).forEach(read::add);
            }
        }
        return read;
    }

    /** Where a group stands, all partitions of a topic together; those without a committed offset count 0. */
    public static long committed(String group, String topic) {
        try {
            return ADMIN.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().entrySet().stream()
                    .filter(entry -> entry.getKey().topic().equals(topic))
                    .map(Map.Entry::getValue)
                    .mapToLong(OffsetAndMetadata::offset)
                    .sum();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
