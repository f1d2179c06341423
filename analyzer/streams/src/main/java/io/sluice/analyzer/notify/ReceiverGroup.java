package io.sluice.analyzer.notify;

import java.net.URI;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.RangeAssignor;

/** How gate-locks are read for one receiver: as a consumer group of its own, so that one that hangs keeps no other waiting. */
final class ReceiverGroup {
    private ReceiverGroup() {}

    /** @param application what the group's name begins with */
    static Map<String, Object> settings(Map<String, Object> client, String application, URI url) {
        Map<String, Object> consumer = new HashMap<>(client);
        consumer.put(
                ConsumerConfig.GROUP_ID_CONFIG,
                application + "-webhook-"
                        + HexFormat.of().toHexDigits(url.toString().hashCode()));
        consumer.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        // a new receiver gets events from now on
        consumer.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        consumer.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        consumer.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 100);
        // all partitions are given up before any is taken: each begins at what was committed
        consumer.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, RangeAssignor.class.getName());
        return consumer;
    }
}
