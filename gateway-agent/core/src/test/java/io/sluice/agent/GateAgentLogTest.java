package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.pseudonym.Pseudonyms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the entries of the access log go, and under which names. */
@Tag("server")
final class GateAgentLogTest extends GateAgentFixture {
    @Test
    void logTopic_takesTheAccessLog() {
        try (Cluster cluster = cluster()) {
            // any topic that is there
            String own = cluster.names.deadLetters();
            try (GateAgent agent = cluster.agent().logTopic(own).build()) {
                agent.log(Request.of("acme").build(), Verdict.Allowed.FREELY, 200, 1, 1);

                await().atMost(PATIENCE).until(() -> agent.status().sent() == 1);
                assertThat(cluster.read(own, 1)).hasSize(1);
            }
        }
    }

    @Test
    void logSpread_keepsACallerInFewPartitions() throws Exception {
        try (Cluster cluster = cluster()) {
            cluster.partitions(cluster.names.requests(), 12);
            try (GateAgent one = cluster.agent().logSpread(2).build();
                    GateAgent other = cluster.agent().logSpread(2).build()) {
                for (int i = 0; i < 600; i++) {
                    GateAgent agent = i % 2 == 0 ? one : other;
                    agent.log(Request.of("c" + i / 2 % 10).build(), Verdict.Allowed.FREELY, 200, 1, 1);
                }
                await().atMost(PATIENCE)
                        .until(() -> one.status().sent() + other.status().sent() == 600);
            }
            Map<String, Set<Integer>> used = new HashMap<>();
            for (ConsumerRecord<byte[], byte[]> record : cluster.readAll(cluster.names.requests())) {
                String caller = String.valueOf(
                        RequestEventReader.ours().read(record.value()).caller());
                used.computeIfAbsent(caller, any -> new HashSet<>()).add(record.partition());
            }
            assertThat(used).hasSize(10);
            assertThat(used.values())
                    .allSatisfy(partitions -> assertThat(partitions).hasSizeBetween(1, 2));
            assertThat(used.values().stream().flatMap(Set::stream).distinct().count())
                    .isGreaterThan(4);
        }
    }

    @Test
    void pseudonyms_standInTheAccessLog_andLocksUnderEitherKeyHold(@TempDir Path folder) throws Exception {
        Pseudonyms keys = Pseudonyms.read(Files.writeString(
                folder.resolve("keys"), "k2: " + "QUFB".repeat(11) + "\nk1: " + "QkJC".repeat(11) + "\n"));
        try (Cluster cluster = cluster().analyzerLives()) {
            cluster.policies(NOISY);
            cluster.lock("noisy", keys.current().caller("acme"), Mode.BLOCK, 600_000);
            cluster.lock("noisy", keys.former().caller("bolt"), Mode.BLOCK, 600_000);
            cluster.lock("noisy", "raw", Mode.BLOCK, 600_000);
            try (GateAgent agent = cluster.agent().pseudonyms(keys).build()) {
                awaitAllowed(agent, "acme", false);
                awaitAllowed(agent, "bolt", false);
                assertThat(allows(agent, "raw")).isTrue();
                assertThat(allows(agent, keys.current().caller("acme"))).isTrue();

                Request request = agent.request("acme")
                        .ip("203.0.113.9")
                        .label("plan", "gold")
                        .build();
                agent.log(request, Verdict.Allowed.FREELY, 200, 1, 1);
                RequestEvent logged = RequestEventReader.ours()
                        .read(cluster.read(cluster.names.requests(), 1).get(0).value());
                assertThat(logged.caller()).isEqualTo(keys.current().caller("acme"));
                assertThat(logged.ip()).isEqualTo(keys.current().ip("203.0.113.9"));
                assertThat(logged.labels()).containsEntry("plan", "gold");
            }
        }
    }
}
