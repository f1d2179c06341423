package io.sluice.contract.topic;

import java.util.Map;

/**
 * A topic as it ought to be.
 *
 * @param partitions how many to create, at least 1
 * @param settings Kafka's topic settings by name
 * @param replication how many replicas to create, −1 for the broker's default
 */
public record TopicDefinition(String name, int partitions, Map<String, String> settings, int replication) {
    /** @throws IllegalArgumentException naming the number that is out of its range */
    public TopicDefinition {
        if (partitions < 1) {
            throw new IllegalArgumentException("partitions must be 1 or more, found " + partitions);
        }
        if (replication != -1 && (replication < 1 || replication > Short.MAX_VALUE)) {
            throw new IllegalArgumentException("replication must be 1 or more, or -1, found " + replication);
        }
        settings = Map.copyOf(settings);
    }
}
