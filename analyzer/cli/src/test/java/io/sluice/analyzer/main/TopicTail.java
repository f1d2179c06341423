package io.sluice.analyzer.main;

import io.sluice.analyzer.run.TestKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Everything that stands on a topic, read as it grows. One thread. */
final class TopicTail implements AutoCloseable {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;
    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();

    private TopicTail(String topic, String isolation) {
        this(TestKafka.client(), topic, isolation);
    }

    private TopicTail(Map<String, Object> client, String topic, String isolation) {
        Map<String, Object> config = new HashMap<>(client);
        config.put("isolation.level", isolation);
        consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        partitions = IntStream.range(0, consumer.partitionsFor(topic).size())
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Without what belongs to transactions that are open or aborted. */
    static TopicTail committed(String topic) {
        return new TopicTail(topic, "read_committed");
    }

    /** The same on a broker of the test's own. */
    static TopicTail committed(Map<String, Object> client, String topic) {
        return new TopicTail(client, topic, "read_committed");
    }

    /** With it. */
    static TopicTail uncommitted(String topic) {
        return new TopicTail(topic, "read_uncommitted");
    }

    /** Everything up to the end as it is now, each partition in its order. */
    List<ConsumerRecord<byte[], byte[]>> read() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            consumer.poll(Duration.ofMillis(100)).forEach(records::add);
        }
        return records;
    }

    /** Passes over everything up to the end as it is now. */
    void skip() {
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
    }

    /** Waits for the next record; returns whether one came before time ran out. */
    boolean await(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (records.isEmpty() && System.nanoTime() < end) {
            consumer.poll(Duration.ofMillis(100)).forEach(records::add);
        }
        return !records.isEmpty();
    }

    /** What has come since it was last asked. */
    List<ConsumerRecord<byte[], byte[]>> drain() {
        List<ConsumerRecord<byte[], byte[]>> drained = List.copyOf(read());
        records.clear();
        return drained;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
