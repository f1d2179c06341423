package io.sluice.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.contract.event.Identity;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Without Kafka: what an agent counts of itself is in the registry all the same. */
final class GateMetricsTest {
    private static final byte[] PLANS =
            "{\"policies\":[{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\",\"burst\":1}}]}"
                    .getBytes(StandardCharsets.UTF_8);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private static GateAgent agent() {
        // the port is closed: the agent stays cold, and answers from its local policies
        return GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .policies(PLANS)
                .build();
    }

    private double value(String name, String... tags) {
        return registry.get(name).tags(tags).meter().measure().iterator().next().getValue();
    }

    @Test
    void checksAreCountedByOutcomeAndRejectionsByPolicy() {
        try (GateAgent agent = agent()) {
            new GateMetrics(agent).bindTo(registry);
            for (int i = 0; i < 3; i++) {
                agent.check(Request.of("acme").build()).close();
            }

            await().untilAsserted(() -> {
                assertThat(value("sluice.gate.checks", "outcome", "allowed", "service", "orders"))
                        .isEqualTo(1);
                assertThat(value("sluice.gate.checks", "outcome", "limited")).isEqualTo(2);
                assertThat(value("sluice.gate.checks", "outcome", "locked")).isZero();
                assertThat(value("sluice.gate.rejections", "policy", "plans", "outcome", "limited"))
                        .isEqualTo(2);
                assertThat(value("sluice.gate.rejections", "policy", "plans", "outcome", "locked"))
                        .isZero();
            });
        }
    }

    @Test
    void checksOfClaimedCallers_areCountedBesideAllChecks() {
        try (GateAgent agent = agent()) {
            agent.check(Request.of("acme").identity(Identity.CLAIMED).build()).close();
            agent.check(Request.of("acme").identity(Identity.CLAIMED).build()).close();
            agent.check(Request.of("bolt").identity(Identity.NETWORK).build()).close();
            new GateMetrics(agent).bindTo(registry);

            assertThat(value("sluice.gate.checks.claimed", "service", "orders")).isEqualTo(2);
            assertThat(agent.status().claimed()).isEqualTo(2);
            assertThat(agent.status().checks()).isEqualTo(3);
        }
    }

    @Test
    void anAgentWithoutKafkaSaysThatItIsCold() {
        try (GateAgent agent = agent()) {
            new GateMetrics(agent).bindTo(registry);

            assertThat(value("sluice.gate.freshness", "state", "cold")).isEqualTo(1);
            assertThat(value("sluice.gate.freshness", "state", "fresh")).isZero();
            assertThat(value("sluice.gate.freshness", "state", "stale")).isZero();
        }
    }

    @Test
    void noTagHoldsACaller() {
        try (GateAgent agent = agent()) {
            new GateMetrics(agent).bindTo(registry);
            for (int i = 0; i < 100; i++) {
                agent.check(Request.of("secret-" + i).build()).close();
            }

            assertThat(registry.getMeters())
                    .isNotEmpty()
                    .map(Meter::getId)
                    .allSatisfy(id -> assertThat(id.getName()).startsWith("sluice.gate."))
                    .flatMap(Meter.Id::getTags)
                    .extracting(Tag::getKey)
                    .isSubsetOf(List.of("service", "policy", "outcome", "state", "reason", "from", "to", "le"));
            assertThat(registry.getMetersAsString()).doesNotContain("secret");
        }
    }
}
