package io.sluice.benchmarks.workload;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** How far a topic reaches, and how far a consumer group has committed. */
final class Lag {
    private final Admin admin;
    private final String group;

    Lag(Admin admin, String group) {
        this.admin = admin;
        this.group = group;
    }

    /** How many records there ever were. */
    long records(String topic) throws ExecutionException, InterruptedException {
        return ends(topic).values().stream().mapToLong(Long::longValue).sum();
    }

    /** How many records the group has not committed yet. */
    long of(String topic) throws ExecutionException, InterruptedException {
        return until(ends(topic));
    }

    /** How many records the group has still to commit until it has come so far. */
    long until(Map<TopicPartition, Long> ends) throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
        long lag = 0;
        for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
            OffsetAndMetadata done = committed.get(end.getKey());
            lag += Math.max(0, end.getValue() - (done == null ? 0 : done.offset()));
        }
        return lag;
    }

    /** How far each partition reaches now. */
    Map<TopicPartition, Long> ends(String topic) throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        admin.describeTopics(List.of(topic))
                .allTopicNames()
                .get()
                .values()
                .forEach(found -> found.partitions()
                        .forEach(partition -> asked.put(
                                new TopicPartition(found.name(), partition.partition()), OffsetSpec.latest())));
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (var end : admin.listOffsets(asked).all().get().entrySet()) {
            ends.put(end.getKey(), end.getValue().offset());
        }
        return ends;
    }
}
