package io.sluice.operating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.neighbours.Crowd;
import io.sluice.neighbours.Neighbourhood;
import io.sluice.settings.SluiceSettings;
import io.sluice.sidecar.Sidecar;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus looks at a real sidecar while one caller crowds the others. */
@Tag("server")
@Tag("full")
class SidecarMonitoringTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @BeforeAll
    static void prometheusIsThere() {
        Prometheus.needed();
    }

    /** Nothing else is scraped: what is asked about agents has to find this one. */
    @Test
    void givenASidecarAloneThenEveryQueryAboutAgentsHasASeriesAndNoneHasACaller(
            @TempDir Path folder, @TempDir Path monitor) throws Exception {
        try (Neighbourhood neighbourhood = Neighbourhood.open(folder);
                Sidecar sidecar = sidecar(folder, neighbourhood.bootstrap());
                Prometheus prometheus = Prometheus.start(
                        monitor,
                        Deployed.ALERTS,
                        List.of("sidecar=127.0.0.1:" + sidecar.http().getPort()))) {
            await().atMost(PATIENCE).until(neighbourhood.analyzer()::running);
            await().atMost(PATIENCE).until(sidecar::ready);
            HttpClient http = HttpClient.newHttpClient();

            Crowd.Told told = Crowd.ask(
                    caller -> ask(http, sidecar, "/check", caller).statusCode() == 204, Duration.ofMinutes(2));

            assertThat(told.noisyRejected()).isPositive();
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(prometheus.withoutSeries(query -> query.contains("sluice_gate_")))
                            .isEmpty());
            await().atMost(PATIENCE)
                    .until(() -> prometheus.series("sluice_gate_rejections_total{policy=\"noisy-neighbour\"} > 0") > 0);
            String scraped = ask(http, sidecar, "/metrics", "nobody").body();
            assertThat(scraped).contains("sluice_gate_checks_total");
            assertThat(List.of("acme", "globex", "initech", "umbrella"))
                    .allSatisfy(caller -> assertThat(scraped).doesNotContain(caller));
        }
    }

    private static Sidecar sidecar(Path folder, String bootstrap) throws Exception {
        return Sidecar.open(SluiceSettings.read(
                Files.writeString(folder.resolve("sidecar.yml"), """
                        kafka: { bootstrap.servers: "%s" }
                        agent: { service: orders, identity: authenticated }
                        sidecar: { http: "127.0.0.1:0", grpc: "127.0.0.1:0" }
                        """.formatted(bootstrap)), Map.of()));
    }

    private static HttpResponse<String> ask(HttpClient http, Sidecar sidecar, String path, String caller)
            throws Exception {
        return http.send(
                HttpRequest.newBuilder(sidecar.http().resolve(path))
                        .header("X-Sluice-Caller", caller)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
