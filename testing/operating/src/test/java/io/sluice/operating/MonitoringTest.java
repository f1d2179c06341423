package io.sluice.operating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.metrics.GateMetrics;
import io.sluice.agent.verdict.Verdict;
import io.sluice.analyzer.api.Api;
import io.sluice.analyzer.api.HealthPage;
import io.sluice.analyzer.api.ServedAnalyzer;
import io.sluice.analyzer.metrics.AnalyzerMetrics;
import io.sluice.analyzer.notify.Holding;
import io.sluice.analyzer.notify.Notifier;
import io.sluice.contract.topic.TopicNames;
import io.sluice.neighbours.Crowd;
import io.sluice.neighbours.Neighbourhood;
import io.sluice.settings.HttpSettings;
import io.sluice.settings.WebhookSettings;
import io.sluice.testing.FreePort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus looks at a real analyzer and a real agent while one caller crowds the others. */
@Tag("server")
@Tag("full")
class MonitoringTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final List<String> CALLERS = List.of("acme", "globex", "initech", "umbrella");

    @BeforeAll
    static void prometheusIsThere() {
        Prometheus.needed();
    }

    @Test
    void givenANoisyCallerThenEveryQueryHasASeriesAndNoneHasACaller(@TempDir Path folder, @TempDir Path monitor)
            throws Exception {
        try (Neighbourhood neighbourhood = Neighbourhood.open(folder);
                GateAgent agent = GateAgent.builder()
                        .bootstrap(neighbourhood.bootstrap())
                        .service("orders")
                        .build();
                Host host = new Host(agent)) {
            // Kafka Streams' metrics are looked for at once, and then each minute
            await().atMost(PATIENCE).until(neighbourhood.analyzer()::running);
            try (AnalyzerMetrics metrics = AnalyzerMetrics.of(neighbourhood.analyzer());
                    Api api = api(neighbourhood);
                    HealthPage page = HealthPage.open(
                            new HttpSettings("127.0.0.1", FreePort.next()), () -> true, () -> "", metrics::scrape);
                    Receiver receiver = new Receiver(neighbourhood);
                    Prometheus prometheus = Prometheus.start(
                            monitor,
                            Deployed.ALERTS,
                            List.of("analyzer=127.0.0.1:" + page.port(), "orders=127.0.0.1:" + host.port()))) {

                metrics.webhooks(List.of(receiver.notifier));
                metrics.add(api.meters());

                Crowd.Told told = Crowd.ask(caller -> serve(agent, caller), Duration.ofMinutes(2));

                assertThat(told.noisyRejected()).isPositive();
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofSeconds(1))
                        .untilAsserted(() -> assertThat(prometheus.withoutSeries(query -> true))
                                .isEmpty());
                assertThat(Deployed.notShown(metrics.scrape() + host.registry.scrape()))
                        .isEmpty();
                assertThat(Deployed.metricsOfAnalyzers().differences(metrics.scrape()))
                        .isEmpty();
                assertThat(Deployed.labelsMissing(metrics.scrape() + host.registry.scrape()))
                        .isEmpty();
                assertThat(List.of("groups", "loads", "meters", "watches", "candidates", "locks", "shadows"))
                        .as("kinds in docs/operations.md")
                        .allSatisfy(kind -> assertThat(metrics.scrape())
                                .contains("sluice_heap_refused_total{for=\"" + kind + "\"}"));
                assertThat(metrics.scrape()).contains("sluice_locks_opened_total{policy=\"noisy-neighbour\"} 1.0");
                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(metrics.scrape())
                                        .contains(
                                                "sluice_webhook_deliveries_total{outcome=\"given-up\",receiver=\"127.0.0.1\"} 1.0"));
                assertThat(CALLERS).allSatisfy(caller -> {
                    assertThat(metrics.scrape()).doesNotContain(caller);
                    assertThat(host.registry.scrape()).doesNotContain(caller);
                });
            }
        }
    }

    private static Api api(Neighbourhood neighbourhood) throws Exception {
        return Api.open(
                new HttpSettings("127.0.0.1", 8480),
                Map.of("bootstrap.servers", neighbourhood.bootstrap()),
                new TopicNames("sluice."),
                new ServedAnalyzer(
                        "one",
                        600_000,
                        neighbourhood.analyzer()::running,
                        neighbourhood.analyzer()::counts,
                        neighbourhood.analyzer().tasks().orElseThrow()));
    }

    private static boolean serve(GateAgent agent, String caller) {
        Request request = agent.request(caller).route("/orders").method("GET").build();
        try (Verdict verdict = agent.check(request)) {
            agent.log(request, verdict, verdict.allowed() ? 200 : 429, 10, 1000);
            return verdict.allowed();
        }
    }

    /** A receiver of the analyzers' webhooks; it ignores them. */
    private static final class Receiver implements AutoCloseable {
        private final HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        private final Notifier notifier;

        Receiver(Neighbourhood neighbourhood) throws Exception {
            server.createContext("/", exchange -> {
                exchange.sendResponseHeaders(410, -1);
                exchange.close();
            });
            server.start();
            URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/a-secret");
            notifier = Notifier.start(
                    new WebhookSettings(url, null, Set.of("open")),
                    null,
                    Map.of("bootstrap.servers", neighbourhood.bootstrap()),
                    "monitoring",
                    "sluice.gate-locks",
                    new Holding(600_000, System::currentTimeMillis));
        }

        @Override
        public void close() {
            notifier.close();
            server.stop(0);
        }
    }

    /** A service with a registry of its own, and the agent's metrics in it. */
    private static final class Host implements AutoCloseable {
        private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        private final HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

        Host(GateAgent agent) throws Exception {
            new GateMetrics(agent).bindTo(registry);
            server.createContext("/metrics", exchange -> {
                byte[] body = registry.scrape().getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
        }

        int port() {
            return server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
            registry.close();
        }
    }
}
