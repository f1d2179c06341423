package io.sluice.benchmarks.recovery;

import io.sluice.benchmarks.measure.Child;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The floor: a process that starts, reads topics from their beginning to their end, and does nothing else. */
final class ReaderChild {
    private static final Duration POLL = Duration.ofMillis(100);

    private ReaderChild() {}

    /** Bootstrap servers, then the topics. */
    public static void main(String... arguments) {
        Child.endWithParent();
        Map<String, Object> settings = Map.of("bootstrap.servers", arguments[0], "enable.auto.commit", false);
        long records = 0;
        long bytes = 0;
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = new ArrayList<>();
            for (String topic : Arrays.asList(arguments).subList(1, arguments.length)) {
                consumer.partitionsFor(topic)
                        .forEach(found -> partitions.add(new TopicPartition(topic, found.partition())));
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
                for (ConsumerRecord<byte[], byte[]> record : polled) {
                    records++;
                    bytes += Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
                }
            }
            Child.tell("seconds", Lifetime.seconds());
        }
        Child.tell("records", (double) records);
        Child.tell("bytes", (double) bytes);
    }
}
