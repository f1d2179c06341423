package io.sluice.faults;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/** What a broker says of a topic's ends and of how far a group has read. */
final class Offsets {
    private Offsets() {}

    /** One past the last record of each partition. */
    static Map<TopicPartition, Long> ends(String bootstrap, String topic, int partitions) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            Map<TopicPartition, Long> ends = new HashMap<>();
            get(admin.listOffsets(IntStream.range(0, partitions)
                                    .mapToObj(partition -> new TopicPartition(topic, partition))
                                    .collect(
                                            Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest())))
                            .all())
                    .forEach((partition, end) -> ends.put(partition, end.offset()));
            return ends;
        }
    }

    /** The next record that the group will read of each partition; without those that it never committed. */
    static Map<TopicPartition, Long> committed(String bootstrap, String group, String topic) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            Map<TopicPartition, Long> committed = new HashMap<>();
            get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                    .forEach((partition, offset) -> {
                        if (partition.topic().equals(topic) && offset != null) {
                            committed.put(partition, offset.offset());
                        }
                    });
            return committed;
        }
    }

    private static <T> T get(KafkaFuture<T> answer) {
        try {
            return answer.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
