package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.event.RequestEventReader;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.pseudonym.Pseudonyms;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole agent against a real broker: its settings, its heartbeats and its access log. */
@Tag("server")
final class GateAgentTest extends GateAgentFixture {
    private static AgentHeartbeat newestHeartbeat(Cluster cluster) {
        List<ConsumerRecord<byte[], byte[]>> records = cluster.read(cluster.names.agents(), 1);
        try {
            return AgentHeartbeatJson.read(records.get(records.size() - 1).value())
                    .orElseThrow();
        } catch (MalformedRecord e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void itsHeartbeatTellsWhatEachPolicyRejectedAndWouldHaveRejected() {
        try (Cluster cluster = cluster()) {
            cluster.policies(
                    "{\"policies\":["
                            + "{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":4}},"
                            + "{\"name\":\"trial\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":1,\"shadow\":true}}]}");
            try (GateAgent agent =
                    cluster.agent().heartbeat(Duration.ofMillis(100)).build()) {
                await().atMost(PATIENCE).until(() -> !agent.status().policies().isEmpty());

                for (int i = 0; i < 6; i++) {
                    agent.check(Request.of("acme").build());
                }

                await().atMost(PATIENCE).until(() -> agent.status().rejections() == 2);
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(newestHeartbeat(cluster))
                                .satisfies(last -> {
                                    assertThat(last.rejectedByPolicy()).isEqualTo(Map.of("plans", 2L));
                                    assertThat(last.wouldRejectByPolicy()).isEqualTo(Map.of("trial", 3L));
                                }));
            }
        }
    }

    @Test
    void localPolicies_withNamesThatPseudonymsHide_areRefusedBeforeAnythingStarts(@TempDir Path folder)
            throws Exception {
        Pseudonyms keys = Pseudonyms.read(Files.writeString(folder.resolve("keys"), "k1: " + "QUFB".repeat(11) + "\n"));
        GateAgentBuilder builder = GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .pseudonyms(keys)
                .policies("{\"allow\":[{\"caller\":\"a*\"}],\"policies\":[]}".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("allow[0].caller: found 'a*', with pseudonyms allowed are whole names");
    }

    @Test
    void build_twiceByOneBuilderWithoutAnId_agentsHaveDifferentIds() {
        GateAgentBuilder builder = GateAgent.builder().bootstrap("127.0.0.1:1").service("orders");
        try (GateAgent one = builder.build();
                GateAgent other = builder.build()) {
            assertThat(one.id()).isNotEqualTo(other.id());
        }
    }

    @Test
    void build_hostWithALongName_idIsShortEnoughForTheFleet() {
        try (GateAgent agent = GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .environment(name -> name.equals("HOSTNAME") ? "h".repeat(300) : null)
                .build()) {
            assertThat(agent.id()).hasSize(256).matches("h+-[0-9a-f]{6}");
        }
    }

    @Test
    void heartbeats_flow_whenTheAccessLogHasNoTopic() {
        try (Cluster cluster = cluster()) {
            cluster.delete(cluster.names.requests());
            try (GateAgent agent =
                    cluster.agent().heartbeat(Duration.ofMillis(100)).build()) {
                for (int i = 0; i < 1000; i++) {
                    agent.log(Request.of("c" + i).build(), Verdict.Allowed.FREELY, 200, 1, 1);
                }
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(cluster.read(cluster.names.agents(), 3))
                                .hasSizeGreaterThanOrEqualTo(3));
            }
        }
    }

    /** Twenty heartbeats while most of the access log still waits: none had to wait for it. */
    @Tag("full")
    @Test
    void heartbeats_flow_whenTheBufferOfTheAccessLogIsFull() {
        try (Cluster cluster = cluster()) {
            String id = "buffer-full";
            // once it has sent 64 KiB, its connection is muted for seconds
            cluster.quota("sluice-agent-" + id, 100);
            try (GateAgent agent = cluster.agent()
                    .id(id)
                    .heartbeat(Duration.ofMillis(100))
                    .kafka(Map.of("compression.type", "none", "buffer.memory", 64 * 1024))
                    .build()) {
                logsMuch(agent);

                assertThat(cluster.read(cluster.names.agents(), 20)).hasSizeGreaterThanOrEqualTo(20);
                assertThat(agent.status().sent() + agent.status().drops())
                        .as("most of the access log waits")
                        .isLessThan(2000);
            }
        }
    }

    private static void logsMuch(GateAgent agent) {
        for (int i = 0; i < 5000; i++) {
            Request request = Request.of("c" + i).route("/" + "r".repeat(500)).build();
            agent.log(request, Verdict.Allowed.FREELY, 200, 1, 1);
        }
    }

    @Test
    void clientSettingsThatCantWork_areRefusedByName() {
        assertThatThrownBy(() -> GateAgent.builder()
                        .bootstrap("127.0.0.1:1")
                        .service("orders")
                        .kafka(Map.of("delivery.timeout.ms", 10, "request.timeout.ms", 30_000))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("delivery.timeout.ms");
    }

    @Test
    void theAccessLogArrivesWithManyRejectionsAsOneEntry() throws Exception {
        try (Cluster cluster = cluster()) {
            Duration took;
            try (GateAgent agent = cluster.agent().id("orders-1").build()) {
                Request request = Request.of("acme")
                        .route("/orders/{id}")
                        .method("GET")
                        .ip("203.0.113.9")
                        .label("plan", "gold")
                        .identity(Identity.NETWORK)
                        .build();
                long begun = System.nanoTime();
                agent.log(request, Verdict.Allowed.FREELY, 200, 512, 12_500);
                Verdict rejected = new Verdict.Rejected(Verdict.Reason.LOCKED, "noisy", 1000, null);
                for (int i = 0; i < 1000; i++) {
                    agent.log(request, rejected, 429, 10, 20);
                }
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(agent.status().sent()).isEqualTo(1001));
                took = Duration.ofNanos(System.nanoTime() - begun);
                assertThat(agent.status().drops()).isZero();
            }
            List<RequestEvent> events = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> record : cluster.readAll(cluster.names.requests())) {
                assertThat(record.key()).isNull();
                events.add(RequestEventReader.ours().read(record.value()));
            }
            assertThat(events.stream().mapToLong(RequestEvent::count).sum()).isEqualTo(1001);
            // a kind of rejection becomes an entry each 250 ms
            assertThat(events).hasSizeLessThanOrEqualTo((int) (3 + took.toMillis() / 250));
            RequestEvent passed = events.stream()
                    .filter(event -> event.outcome() == Outcome.ALLOWED)
                    .findFirst()
                    .orElseThrow();
            assertThat(passed.service()).isEqualTo("orders");
            assertThat(passed.route()).isEqualTo("/orders/{id}");
            assertThat(passed.micros()).isEqualTo(12_500);
            assertThat(passed.agent()).isEqualTo("orders-1");
            assertThat(passed.labels()).isEqualTo(Map.of("plan", "gold"));
            assertThat(passed.identity()).isEqualTo(Identity.NETWORK);
            assertThat(Math.abs(passed.time() - System.currentTimeMillis())).isLessThan(600_000);
        }
    }

    @Test
    void theAgentTellsHowItIs() throws Exception {
        try (Cluster cluster = cluster();
                GateAgent agent = cluster.agent()
                        .id("orders-7")
                        .heartbeat(Duration.ofMillis(200))
                        .build()) {
            allows(agent, "acme");
            await().atMost(PATIENCE).untilAsserted(() -> {
                List<ConsumerRecord<byte[], byte[]>> beats = cluster.read(cluster.names.agents(), 1);
                AgentHeartbeat newest = AgentHeartbeatJson.read(
                                beats.get(beats.size() - 1).value())
                        .orElseThrow();
                assertThat(newest.agent()).isEqualTo("orders-7");
                assertThat(newest.service()).isEqualTo("orders");
                assertThat(newest.checks()).isEqualTo(1);
                assertThat(newest.run()).isBetween(1L, (1L << 53) - 1);
                assertThat(newest.freshness()).isEqualTo(Freshness.STALE);
            });
        }
    }

    @Test
    void theEnvironmentCanTurnItOff() {
        try (Cluster cluster = cluster();
                GateAgent agent = cluster.agent()
                        .policies(LIMITED.getBytes(StandardCharsets.UTF_8))
                        .environment(name -> name.equals("SLUICE_AGENT_ENFORCE") ? "False" : null)
                        .build()) {
            assertThat(allows(agent, "acme")).isTrue();
            assertThat(allows(agent, "acme")).isTrue();
            assertThat(agent.status().enforcing()).isFalse();
        }
    }

    @Test
    void aWrongDescriptionIsRefusedAtOnceAndSaysWhatIsWrong() {
        assertThatThrownBy(() -> GateAgent.builder().service("orders").build()).hasMessageContaining("bootstrap");
        assertThatThrownBy(() -> GateAgent.builder().bootstrap("b:1").build()).hasMessageContaining("service");
        assertThatThrownBy(() -> GateAgent.builder()
                        .bootstrap("b:1")
                        .service("orders")
                        .gates(0)
                        .build())
                .hasMessageContaining("gates must be 1 or more, found 0");
        String tooLong = "x".repeat(257);
        assertThatThrownBy(() -> GateAgent.builder()
                        .bootstrap("b:1")
                        .service("orders")
                        .id(tooLong)
                        .build())
                .hasMessageContaining("id must have at most 256 characters, found 257");
        assertThatThrownBy(() ->
                        GateAgent.builder().bootstrap("b:1").service(tooLong).build())
                .hasMessageContaining("service must have at most 256 characters, found 257");
        assertThatThrownBy(() -> GateAgent.builder().policies("{\"policies\":[{}]}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name");
        assertThatThrownBy(() -> GateAgent.builder().policies(Path.of("no-such-file.json")))
                .hasMessageContaining("no-such-file.json");
    }
}
