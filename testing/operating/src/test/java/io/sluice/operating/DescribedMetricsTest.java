package io.sluice.operating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.agent.GateAgent;
import io.sluice.agent.metrics.GateMetrics;
import io.sluice.settings.SluiceSettings;
import io.sluice.sidecar.Sidecar;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What agents and sidecars expose is what the docs describe. They need no Kafka for it; the analyzer's metrics are compared by {@link MonitoringTest}. */
@Tag("server")
class DescribedMetricsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Metrics of a policy come once the policy is known. */
    private static final String LAST = "\nsluice_gate_rejections_shadow_total{";

    private static final String POLICIES = """
            policies:
              - { name: plans, per: [caller], limit: { rate: 6/h, burst: 3, scope: fleet, strategy: token-server } }
            """;

    @Test
    void agent_exposesWhatIsDescribed() throws Exception {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (GateAgent agent = GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .policies("{\"policies\":[{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"1/h\"}}]}"
                        .getBytes(StandardCharsets.UTF_8))
                .build()) {
            new GateMetrics(agent).bindTo(registry);

            await().atMost(PATIENCE).until(() -> registry.scrape().contains(LAST));

            assertThat(Deployed.metricsOfAgents()
                            .only("sluice_gate_(?!quota_).*")
                            .differences(registry.scrape(), "service"))
                    .isEmpty();
        }
    }

    @Test
    void sidecar_exposesWhatIsDescribed(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("policies.yml"), POLICIES);
        SluiceSettings settings = SluiceSettings.read(
                Files.writeString(folder.resolve("sluice.yml"), """
                        kafka: { bootstrap.servers: "127.0.0.1:1" }
                        agent: { service: orders, policies: "%s", quota: { token-server: { servers: "localhost:1" } } }
                        sidecar: { http: "127.0.0.1:0", grpc: "127.0.0.1:0", token-server: true }
                        """.formatted(folder.resolve("policies.yml"))),
                Map.of());
        try (Sidecar sidecar = Sidecar.open(settings)) {
            HttpClient http = HttpClient.newHttpClient();
            HttpRequest scrape =
                    HttpRequest.newBuilder(sidecar.http().resolve("/metrics")).build();

            String scraped = await().atMost(PATIENCE)
                    .until(
                            () -> http.send(scrape, HttpResponse.BodyHandlers.ofString())
                                    .body(),
                            page -> page.contains(LAST));

            assertThat(scraped).contains("jvm_", "process_");
            assertThat(Deployed.metricsOfAgents()
                            .and(Deployed.metricsOfTokenServers())
                            .differences(scraped, "service"))
                    .isEmpty();
        }
    }
}
