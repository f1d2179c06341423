package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.event.Identity;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an agent writes of its reasons to a real broker. */
@Tag("server")
final class ReasonsInHeartbeatsTest extends GateAgentFixture {
    private static final String CENTRAL = "{\"policies\":[{\"name\":\"plans\",\"per\":[\"caller\"],"
            + "\"limit\":{\"rate\":\"5/m\",\"scope\":\"fleet\",\"strategy\":\"redis\"}}]}";

    private static List<String> newest(Cluster cluster) {
        List<ConsumerRecord<byte[], byte[]>> records = cluster.read(cluster.names.agents(), 1);
        try {
            return AgentHeartbeatJson.read(records.get(records.size() - 1).value())
                    .orElseThrow()
                    .reasons();
        } catch (MalformedRecord e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitReasons(Cluster cluster, String... codes) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(newest(cluster)).containsExactly(codes));
    }

    @Test
    void heartbeat_namesReasons_andDropsThemWhenTheyAreGone() {
        try (Cluster cluster = cluster().analyzerLives();
                GateAgent agent = cluster.agent()
                        .heartbeat(Duration.ofMillis(100))
                        .maxLease(Duration.ofSeconds(1))
                        .build()) {
            awaitReasons(cluster, "no-policies");
            cluster.policies(NOISY);
            awaitReasons(cluster);
            cluster.operator(new OperatorRecord.Enforce(agent.id(), false, 0, "ann", "drill", 0));
            awaitReasons(cluster, "off-by-operator");
            cluster.operator(new OperatorRecord.Enforce(agent.id(), true, 0, "ann", "over", 0));
            awaitReasons(cluster);
            cluster.lock("noisy", "acme", Mode.BLOCK, 600_000);
            awaitReasons(cluster, "leases-cut");
            cluster.garbage(cluster.names.operator());
            awaitReasons(cluster, "records-malformed", "leases-cut");
            cluster.policies(CENTRAL);
            agent.check(Request.of("acme").identity(Identity.CLAIMED).build());
            awaitReasons(cluster, "records-malformed", "leases-cut", "callers-claimed", "store-unanswered");
            assertThat(agent.reasons()).hasSize(4);
        }
    }

    @Test
    void heartbeat_silentAnalyzer_isNamed() {
        try (Cluster cluster = cluster();
                GateAgent agent = cluster.agent()
                        .heartbeat(Duration.ofMillis(100))
                        .enforce(false)
                        .build()) {
            cluster.policies(NOISY);
            awaitReasons(cluster, "analyzer-silent", "off-by-setting");
            assertThat(agent.status().enforcing()).isFalse();
        }
    }
}
