package io.sluice.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;

/** Changes to topics as by Kafka's own tools. One thread. */
final class TopicChanges implements AutoCloseable {
    private final Admin admin;

    TopicChanges(String bootstrap) {
        admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
    }

    void set(String topic, String setting, String value) throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, topic),
                        List.of(new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }

    void grow(String topic, int partitions) throws Exception {
        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                .all()
                .get();
    }

    void delete(String topic) throws Exception {
        admin.deleteTopics(List.of(topic)).all().get();
    }

    /** As a client makes one that writes to it. */
    void makeByDefault(String topic) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
    }

    /** Consumer groups whose names begin like this. */
    List<String> groups(String prefix) throws Exception {
        return admin.listGroups().all().get().stream()
                .map(group -> group.groupId())
                .filter(group -> group.startsWith(prefix))
                .toList();
    }

    /** How many records stand on all topics of this prefix. */
    long written(String prefix) throws Exception {
        long records = 0;
        List<String> topics = new ArrayList<>(admin.listTopics().names().get());
        topics.removeIf(topic -> !topic.startsWith(prefix));
        for (String topic : topics) {
            var partitions = admin.describeTopics(Set.of(topic))
                    .allTopicNames()
                    .get()
                    .get(topic)
                    .partitions();
            for (var partition : partitions) {
                var at = new TopicPartition(topic, partition.partition());
                records += admin.listOffsets(Map.of(at, OffsetSpec.latest()))
                        .partitionResult(at)
                        .get()
                        .offset();
            }
        }
        return records;
    }

    @Override
    public void close() {
        admin.close();
    }
}
