package io.sluice.settings;

/**
 * @param prefix before every topic's name, such as {@code sluice.}
 * @param partitions of every topic but policies and operator
 * @param replication copies of each partition; -1 for the broker's default
 * @param history how long decisions stay readable at least, in milliseconds
 * @param create whether the analyzer creates missing topics at start
 */
public record TopicSettings(String prefix, int partitions, short replication, boolean create, long history) {
    /** With decisions that stay readable for 7 days. */
    public TopicSettings(String prefix, int partitions, short replication, boolean create) {
        this(prefix, partitions, replication, create, 604_800_000);
    }
}
