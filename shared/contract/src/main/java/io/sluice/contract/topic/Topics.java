package io.sluice.contract.topic;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.DELETE_RETENTION_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.SEGMENT_MS_CONFIG;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.operator.OperatorRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** All our topics with their settings, each with its reason. */
public final class Topics {
    static final String APPEND_TIME = "LogAppendTime";
    private static final String COMPACT = "compact";
    private static final String DELETE = "delete";
    private static final String BOTH = COMPACT + "," + DELETE;

    private static final String MINUTE = millis(Duration.ofMinutes(1));
    private static final String TEN_MINUTES = millis(Duration.ofMinutes(10));
    private static final String HOUR = millis(Duration.ofHours(1));
    private static final String DAY = millis(Duration.ofDays(1));

    private Topics() {}

    /** The topics with {@link Retention#DEFAULT}. */
    public static List<TopicDefinition> definitions(
            TopicNames names, int partitions, int replication, long maxLeaseMillis) {
        return definitions(names, partitions, replication, maxLeaseMillis, Retention.DEFAULT);
    }

    /**
     * @param partitions of all topics but policies and operator, which have one
     * @param replication −1 for the broker's default
     * @param maxLeaseMillis the longest lease of a lock
     * @param retention of those topics whose records an operator may want to go sooner or later
     */
    public static List<TopicDefinition> definitions(
            TopicNames names, int partitions, int replication, long maxLeaseMillis, Retention retention) {
        return List.of(
                new TopicDefinition(names.requests(), partitions, requests(retention), replication),
                new TopicDefinition(names.usage(), partitions, usage(), replication),
                new TopicDefinition(names.loads(), partitions, latest(), replication),
                new TopicDefinition(names.gateLocks(), partitions, gateLocks(maxLeaseMillis), replication),
                new TopicDefinition(names.policies(), 1, policies(), replication),
                new TopicDefinition(names.operator(), 1, operator(), replication),
                new TopicDefinition(names.agents(), partitions, agents(), replication),
                new TopicDefinition(names.decisions(), partitions, decisions(retention.history()), replication),
                new TopicDefinition(names.deadLetters(), partitions, deadLetters(retention), replication));
    }

    /**
     * A topic of access logs under a name of its own, with the settings of {@link TopicNames#requests()}.
     *
     * @param replication −1 for the broker's default
     */
    public static TopicDefinition source(String name, int partitions, int replication, Retention retention) {
        return new TopicDefinition(name, partitions, requests(retention), replication);
    }

    private static Map<String, String> requests(Retention retention) {
        return Map.of(
                CLEANUP_POLICY_CONFIG, DELETE,
                // the broker's clock, so that no client can send its events into the past or the future
                MESSAGE_TIMESTAMP_TYPE_CONFIG, APPEND_TIME,
                // if that is changed, one fast clock must not stop detection
                MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG, MINUTE,
                RETENTION_MS_CONFIG, Long.toString(retention.requests()),
                // retention only takes whole segments, and by default one holds a week or a gigabyte
                SEGMENT_MS_CONFIG, HOUR);
    }

    private static Map<String, String> usage() {
        return Map.of(
                CLEANUP_POLICY_CONFIG, DELETE,
                MESSAGE_TIMESTAMP_TYPE_CONFIG, APPEND_TIME,
                // only what a restart may find unread; the windows have a changelog of their own
                RETENTION_MS_CONFIG, HOUR,
                SEGMENT_MS_CONFIG, TEN_MINUTES);
    }

    /** Only the latest value of a key matters, and every start reads the topic from its beginning: compact it soon. */
    private static Map<String, String> latest() {
        return Map.of(
                CLEANUP_POLICY_CONFIG, COMPACT,
                // their times are held against it
                MESSAGE_TIMESTAMP_TYPE_CONFIG, APPEND_TIME,
                SEGMENT_MS_CONFIG, TEN_MINUTES,
                MAX_COMPACTION_LAG_MS_CONFIG, TEN_MINUTES);
    }

    private static Map<String, String> gateLocks(long maxLeaseMillis) {
        return Map.of(
                CLEANUP_POLICY_CONFIG, BOTH,
                // a lease counts from the append
                MESSAGE_TIMESTAMP_TYPE_CONFIG, APPEND_TIME,
                // longer than any lease, so that no lock is deleted while it holds
                RETENTION_MS_CONFIG, Long.toString(Math.max(Duration.ofHours(1).toMillis(), 2 * maxLeaseMillis)),
                SEGMENT_MS_CONFIG, TEN_MINUTES,
                MIN_COMPACTION_LAG_MS_CONFIG, MINUTE,
                MAX_COMPACTION_LAG_MS_CONFIG, TEN_MINUTES,
                // a reader that stands still for less than this sees every tombstone
                DELETE_RETENTION_MS_CONFIG, DAY);
    }

    private static Map<String, String> policies() {
        return Map.of(
                CLEANUP_POLICY_CONFIG, COMPACT,
                // shown as the time since which a set is in force, whatever the clock of the machine that applied it
                MESSAGE_TIMESTAMP_TYPE_CONFIG, APPEND_TIME,
                // the largest set, whatever the broker's own limit is
                MAX_MESSAGE_BYTES_CONFIG, Integer.toString(JsonNodes.MAX_BYTES));
    }

    /** Compacted as late as the broker does by default: until then it is the history of what operators did, and it is short. */
    private static Map<String, String> operator() {
        return Map.of(
                CLEANUP_POLICY_CONFIG, BOTH,
                MESSAGE_TIMESTAMP_TYPE_CONFIG, APPEND_TIME,
                // several write there, so none can remove what has ended without a race: it is deleted when no record
                // holds any longer
                RETENTION_MS_CONFIG,
                        Long.toString(OperatorRecord.LONGEST_MILLIS
                                + Duration.ofDays(1).toMillis()));
    }

    private static Map<String, String> agents() {
        return Map.of(
                CLEANUP_POLICY_CONFIG, BOTH,
                MESSAGE_TIMESTAMP_TYPE_CONFIG, APPEND_TIME,
                // an agent is forgotten an hour after its last heartbeat
                RETENTION_MS_CONFIG, HOUR,
                SEGMENT_MS_CONFIG, TEN_MINUTES,
                MAX_COMPACTION_LAG_MS_CONFIG, TEN_MINUTES);
    }

    private static Map<String, String> decisions(long historyMillis) {
        return Map.of(
                // an audit trail: nothing is compacted away, and nothing goes before its time
                CLEANUP_POLICY_CONFIG,
                DELETE,
                MESSAGE_TIMESTAMP_TYPE_CONFIG,
                APPEND_TIME,
                RETENTION_MS_CONFIG,
                Long.toString(historyMillis),
                // whatever the broker's own limit is
                RETENTION_BYTES_CONFIG,
                "-1");
    }

    private static Map<String, String> deadLetters(Retention retention) {
        return Map.of(
                CLEANUP_POLICY_CONFIG, DELETE,
                // kept from when it was refused, whatever its own time
                MESSAGE_TIMESTAMP_TYPE_CONFIG, APPEND_TIME,
                RETENTION_MS_CONFIG, Long.toString(retention.deadLetters()),
                SEGMENT_MS_CONFIG, DAY);
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }
}
