package io.sluice.benchmarks.workload;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;

/** Records and bytes of all topics of a broker on which nothing is compacted or deleted. */
public record TopicSizes(Admin admin) {

    /** Returns the number of records ever written to each topic. */
    public Map<String, Long> records() throws Exception {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        admin.describeTopics(admin.listTopics(new ListTopicsOptions().listInternal(true))
                        .names()
                        .get())
                .allTopicNames()
                .get()
                .values()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> asked.put(
                                new TopicPartition(topic.name(), partition.partition()), OffsetSpec.latest())));
        Map<String, Long> records = new HashMap<>();
        admin.listOffsets(asked)
                .all()
                .get()
                .forEach((partition, end) -> records.merge(partition.topic(), end.offset(), Long::sum));
        return records;
    }

    /** Returns the size of each topic's log in bytes. */
    public Map<String, Long> bytes() throws Exception {
        Map<String, Long> bytes = new HashMap<>();
        admin.describeLogDirs(admin.describeCluster().nodes().get().stream()
                        .map(Node::id)
                        .toList())
                .allDescriptions()
                .get()
                .values()
                .forEach(folders -> folders.values()
                        .forEach(folder -> folder.replicaInfos()
                                .forEach((partition, log) -> bytes.merge(partition.topic(), log.size(), Long::sum))));
        return bytes;
    }
}
