package io.sluice.benchmarks.workload;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
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
        return ends(topic).values().stream()
                .mapToLong(ListOffsetsResultInfo::offset)
                .sum();
    }

    /** How many records the group has not committed yet. */
    long of(String topic) throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
        long lag = 0;
        for (var end : ends(topic).entrySet()) {
            OffsetAndMetadata done = committed.get(end.getKey());
            lag += end.getValue().offset() - (done == null ? 0 : done.offset());
        }
        return lag;
    }

    private Map<TopicPartition, ListOffsetsResultInfo> ends(String topic)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        admin.describeTopics(List.of(topic))
                .allTopicNames()
                .get()
                .values()
                .forEach(found -> found.partitions()
                        .forEach(partition -> asked.put(
                                new TopicPartition(found.name(), partition.partition()), OffsetSpec.latest())));
        return admin.listOffsets(asked).all().get();
    }
}
