package io.sluice.examples.aigateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.sluice.agent.GateAgent;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.event.RequestEvent;
import io.sluice.neighbours.Neighbourhood;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
@Tag("full")
final class AiGatewayTest {
    private static Neighbourhood neighbourhood;

    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void startAnalyzer(@TempDir Path folder) throws Exception {
        // tokens of an hour instead of a minute: none returns while a machine stands still, and all lie in one window
        String policies = Files.readString(Path.of("../../examples/policies/ai-gateway.yml"))
                .replace("rate: 6000/m", "rate: 6000/h")
                .replace("window: 1m", "window: 1h");
        assertThat(policies).contains("rate: 6000/h", "window: 1h");
        neighbourhood = Neighbourhood.open(folder, "sources: [{ topic: sluice.requests }]", policies);
    }

    @AfterAll
    static void stopAnalyzer() {
        neighbourhood.close();
    }

    @Test
    void callerThatTakesTooManyTokens_isLimitedInEachGatewayAndLockedInBoth() throws Exception {
        try (EchoModel model = new EchoModel();
                GateAgent oneAgent = agent();
                GateAgent otherAgent = agent();
                AiGateway one = new AiGateway(oneAgent, model.uri(), 0);
                AiGateway other = new AiGateway(otherAgent, model.uri(), 0)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> ready(oneAgent) && ready(otherAgent));

            HttpResponse<String> never = ask(one.uri(), "report-writer", 4000, 4000);
            HttpResponse<String> first = ask(one.uri(), "report-writer", 1400, 1500);
            HttpResponse<String> second = ask(one.uri(), "report-writer", 1400, 1500);
            HttpResponse<String> rejected = ask(one.uri(), "report-writer", 1400, 1500);

            assertThat(never.statusCode()).isEqualTo(429);
            assertThat(never.headers().firstValue("Retry-After")).isEmpty();
            assertThat(never.body()).contains("costs more than the limit ever allows at once");
            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(first.body()).endsWith("data: {\"usage\":{\"total_tokens\":2800}}\n\n");
            assertThat(first.headers().firstValue("RateLimit-Policy")).hasValue("\"tokens\";q=6000;qu=\"cost\";w=3600");
            assertThat(remaining(first)).isBetween(3100L, 3101L);
            assertThat(second.statusCode()).isEqualTo(200);
            // 2,900 were reserved and 100 of them returned; without that, 100 more would be missing
            assertThat(remaining(second)).isGreaterThanOrEqualTo(6000 - 2800 - 2900);
            assertThat(rejected.statusCode()).isEqualTo(429);
            assertThat(rejected.headers().firstValue("Retry-After")).isPresent();
            assertThat(rejected.body()).contains("quota-exceeded");

            // its bucket is full; a second request could be the one that locks the caller
            HttpResponse<String> elsewhere = ask(other.uri(), "report-writer", 1400, 1500);
            assertThat(elsewhere.statusCode()).isEqualTo(200);
            assertThat(remaining(elsewhere)).isBetween(3100L, 3101L);

            // it goes on: twice 5,600 tokens are more than 10,000
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                ask(one.uri(), "report-writer", 1400, 1500);
                ask(other.uri(), "report-writer", 1400, 1500);
                assertThat(ask(one.uri(), "report-writer", 1, 1).body()).contains("abnormal-usage-detected");
            });
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(
                                    ask(other.uri(), "report-writer", 1, 1).body())
                            .contains("abnormal-usage-detected"));
            assertThat(ask(one.uri(), "chat-widget", 10, 100).statusCode()).isEqualTo(200);

            // 60 requests are shared by two gateways, whose heartbeats the analyzer counts while they check requests
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                ask(other.uri(), "assistant", 1, 1);
                assertThat(ask(one.uri(), "assistant", 1, 1).headers().firstValue("RateLimit-Policy"))
                        .hasValue("\"requests\";q=30;w=60");
            });
        }
    }

    @Test
    void modelThatFails_takesNoTokensAndIsLoggedAsFailed() throws Exception {
        HttpServer failing = failing();
        try (GateAgent agent = agent();
                AiGateway overloaded = new AiGateway(
                        agent,
                        URI.create("http://127.0.0.1:" + failing.getAddress().getPort()),
                        0);
                AiGateway unreachable = new AiGateway(agent, URI.create("http://127.0.0.1:1"), 0)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> ready(agent));

            // 2,900 of 6,000 tokens each: the third would be rejected if one of them had been charged
            assertThat(List.of(
                            ask(overloaded.uri(), "acme", 1400, 1500).statusCode(),
                            ask(unreachable.uri(), "acme", 1400, 1500).statusCode(),
                            ask(overloaded.uri(), "acme", 1400, 1500).statusCode()))
                    .containsExactly(529, 502, 529);
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(neighbourhood.logged())
                            .filteredOn(event -> event.caller().equals("acme"))
                            .allSatisfy(event -> assertThat(event.cost()).isZero())
                            .extracting(RequestEvent::status)
                            .containsExactlyInAnyOrder(529, 502, 529));
        } finally {
            failing.stop(0);
        }
    }

    private static HttpServer failing() throws IOException {
        HttpServer model = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        model.createContext("/", exchange -> {
            try (exchange) {
                byte[] error = "{\"error\":\"overloaded\"}".getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(529, error.length);
                exchange.getResponseBody().write(error);
            }
        });
        model.start();
        return model;
    }

    private static GateAgent agent() {
        return GateAgent.builder()
                // nothing is dropped because the broker was slow
                .kafka(Map.of("delivery.timeout.ms", 120_000, "request.timeout.ms", 60_000, "max.block.ms", 60_000))
                .bootstrap(neighbourhood.bootstrap())
                .service("completions")
                .build();
    }

    private static boolean ready(GateAgent agent) {
        return agent.freshness() == Freshness.FRESH
                && !agent.status().policies().isEmpty();
    }

    private static long remaining(HttpResponse<?> answer) {
        String limit = answer.headers().firstValue("RateLimit").orElseThrow();
        return Long.parseLong(limit.replaceAll(".*;r=(\\d+);.*", "$1"));
    }

    private HttpResponse<String> ask(URI gateway, String caller, int words, int maxTokens) throws Exception {
        String prompt = "word ".repeat(words).trim();
        HttpRequest request = HttpRequest.newBuilder(gateway)
                .header("X-Api-Key", caller)
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"prompt\":\"" + prompt + "\",\"max_tokens\":" + maxTokens + "}"))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
