package io.sluice.faults.net;

import io.sluice.contract.topic.TopicAdministration;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.topic.Topics;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** Our topics, made without an analyzer. */
public final class OurTopics {
    private static final long MAX_LEASE_MILLIS = 600_000;

    private OurTopics() {}

    /** Makes all of them. */
    public static TopicNames make(String bootstrap, String prefix, int partitions) {
        TopicNames names = new TopicNames(prefix);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            new TopicAdministration(admin).create(Topics.definitions(names, partitions, 1, MAX_LEASE_MILLIS));
        }
        return names;
    }
}
