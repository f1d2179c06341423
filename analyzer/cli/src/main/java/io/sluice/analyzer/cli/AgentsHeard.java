package io.sluice.analyzer.cli;

import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.settings.InvalidSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads the agents' heartbeats. What can't be read is passed over, as the analyzer does. */
final class AgentsHeard {
    private AgentsHeard() {}

    static FleetCounts read(Connection connection) throws InvalidSettings, Refused, InterruptedException {
        FleetCounts counts = new FleetCounts();
        TopicEnd.read(connection, List.of(connection.topics().agents()), record -> accept(record, counts));
        return counts;
    }

    private static void accept(ConsumerRecord<byte[], byte[]> record, FleetCounts counts) {
        if (record.key() == null) {
            return;
        }
        if (record.value() == null) {
            counts.gone(new String(record.key(), StandardCharsets.UTF_8));
            return;
        }
        try {
            AgentHeartbeatJson.read(record.value()).ifPresent(heartbeat -> counts.heard(heartbeat, record.timestamp()));
        } catch (MalformedRecord e) {
            // an agent that can't be understood is counted by the analyzer; here it just has nothing to add
            return;
        }
    }
}
