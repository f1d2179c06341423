package io.sluice.settings;

import io.sluice.contract.topic.Retention;

/**
 * @param prefix before every topic's name, such as {@code sluice.}
 * @param partitions of every topic but policies and operator
 * @param replication copies of each partition; -1 for the broker's default
 * @param create whether the analyzer creates missing topics at start
 * @param retention how long topics that are created keep their records
 */
public record TopicSettings(String prefix, int partitions, short replication, boolean create, Retention retention) {
    /** With {@link Retention#DEFAULT}. */
    public TopicSettings(String prefix, int partitions, short replication, boolean create) {
        this(prefix, partitions, replication, create, Retention.DEFAULT);
    }
}
