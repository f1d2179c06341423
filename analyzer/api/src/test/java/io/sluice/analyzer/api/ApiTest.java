package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.json.Node;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.settings.HttpSettings;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The API of a running analyzer with a lock, on a real broker. */
@Tag("server")
class ApiTest extends ApiFixture {
    /** The list of an answer that has items here. */
    private static final Map<String, String> FILLED = Map.of(
            "/api/v1/locks", "locks",
            "/api/v1/history", "decisions",
            "/api/v1/dead-letters", "letters",
            "/api/v1/callers/top", "callers",
            "/api/v1/policies/{policy}/nearest", "nearest");

    @ParameterizedTest
    @CsvSource({
        "/api/v1/status, /api/v1/status",
        "/api/v1/policies, /api/v1/policies",
        "/api/v1/policies/changes, /api/v1/policies/changes",
        "/api/v1/policies/rejections, /api/v1/policies/rejections",
        "/api/v1/policies/p/nearest, '/api/v1/policies/{policy}/nearest'",
        "/api/v1/replay, /api/v1/replay",
        "/api/v1/locks, /api/v1/locks",
        "/api/v1/locks/p/noisy, '/api/v1/locks/{policy}/{value}'",
        "/api/v1/agents, /api/v1/agents",
        "/api/v1/dead-letters, /api/v1/dead-letters",
        "/api/v1/agents?limit=1, /api/v1/agents",
        "/api/v1/history?policy=p&limit=3, /api/v1/history",
        "/api/v1/callers/top, /api/v1/callers/top",
        "/api/v1/callers/noisy, '/api/v1/callers/{caller}'",
        "/api/v1/callers?policy=p&subject=noisy, /api/v1/callers",
        "/api/v1/callers?caller=top, /api/v1/callers",
        "/api/v1/callers/2001:db8::17, '/api/v1/callers/{caller}'",
        "/api/v1/local/top?limit=3, /api/v1/local/top",
        "/api/v1/local/window?policy=p&subject=noisy, /api/v1/local/window"
    })
    void whatIsAnsweredIsWhatTheOpenApiFileSays(String path, String documented) throws Exception {
        Node.Mapping openApi = mapping(get("/openapi.json").body());
        Node schema = OpenApiSchema.in(
                openApi, "paths", documented, "get", "responses", "200", "content", "application/json", "schema");

        HttpResponse<String> response = get(path);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
        OpenApiSchema.conforms(mapping(response.body()), (Node.Mapping) schema, openApi, path);
        // an empty list would show nothing of its items
        if (FILLED.containsKey(documented)) {
            assertThat(Tree.list(mapping(response.body()), FILLED.get(documented)))
                    .isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/callers/2001:DB8::17", "/api/v1/callers?policy=p&subject=2001:db8:0::17"})
    void caller_aWholeIpv6Address_isToldTheNameOfItsNetwork(String path) throws Exception {
        assertThat(get(path).body()).contains("\"network\":\"2001:db8::/64\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"noisy", "192.0.2.7", "2001:db8::%2F64"})
    void caller_anyOther_isToldOfNoNetwork(String caller) throws Exception {
        assertThat(get("/api/v1/callers?caller=" + caller).body()).doesNotContain("network");
    }

    @Test
    void aLockHasItsEvidence() throws Exception {
        assertThat(get("/api/v1/locks/p/noisy").body())
                .contains(
                        "\"policy\":\"p\",\"subject\":[\"noisy\"],\"per\":[\"caller\"],\"mode\":\"block\"",
                        "\"detector\":\"above\"");
    }

    @Test
    void history_ofALock_hasItsEvidence() throws Exception {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                get("/api/v1/history?policy=p&subject=noisy").body())
                        .contains("\"event\":\"opened\"", "\"subject\":[\"noisy\"]", "\"detector\":\"above\""));
        assertThat(get("/api/v1/history?policy=p&subject=nobody").body()).endsWith("\"decisions\":[]}");
        String first = get("/api/v1/history?policy=p&subject=noisy").body();
        String appended = first.replaceAll("(?s).*?\"appended\":([0-9]+).*", "$1");
        assertThat(get("/api/v1/history?policy=p&subject=noisy&before=" + appended)
                        .body())
                .endsWith("\"decisions\":[]}");
        assertThat(get("/api/v1/history?policy=p&subject=noisy&before=" + (Long.parseLong(appended) + 1))
                        .body())
                .contains("\"appended\":" + appended);
        assertThat(get("/api/v1/history?before=now").body())
                .contains("before: found now, allowed are epoch milliseconds");
        assertThat(get("/api/v1/history?limit=1&sinceSeconds=3600").body())
                .containsPattern("\"wholeSince\":0,\"truncated\":false,\"decisions\":\\[\\{\"appended\":[0-9]{13},");
    }

    @Test
    void status_enforcementSwitchedOff_saysWhoAndWhy() throws Exception {
        assertThat(get("/api/v1/status").body()).contains("\"enforce\":true,\"switchedOff\":[]");
        OperatorRecord off = new OperatorRecord.Enforce(null, false, 0, "ann", "incident", 1);
        TestKafka.send(
                served.fleet.topics.operator(), CompositeKey.text(OperatorJson.key(off)), OperatorJson.write(off));
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(get("/api/v1/status").body())
                                .contains(
                                        "\"enforce\":false,\"switchedOff\":[{\"author\":\"ann\",\"reason\":\"incident\",\"since\":"));

        OperatorRecord on = new OperatorRecord.Enforce(null, true, 0, "ann", "over", 1);
        TestKafka.send(served.fleet.topics.operator(), CompositeKey.text(OperatorJson.key(on)), OperatorJson.write(on));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(get("/api/v1/status").body()).contains("\"enforce\":true"));
    }

    @Test
    void theFleetIsToldInFigures() throws Exception {
        // an agent without a heartbeat for fifteen seconds is not alive
        await().atMost(PATIENCE).untilAsserted(() -> {
            TestKafka.send(served.fleet.topics.agents(), "orders-1", AgentHeartbeatJson.write(ORDERS_1));
            assertThat(get("/api/v1/status").body())
                    .contains("\"instance\":\"one\",\"running\":true", "\"locks\":1,\"agentsAlive\":1", "\"opened\":1");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/locks/p/nobody, 404",
        "/api/v1/locks/p/noisy/more, 404",
        "/api/v1/nothing, 404",
        "/api/v1, 404",
        "/api/v1/agents/x, 404",
        "/api/v1/callers/noisy/x, 404",
        "/api/v1/callers, 400",
        "/api/v1/callers?policy=q&subject=noisy, 404",
        "/api/v1/callers?policy=p, 400",
        "/api/v1/history/p, 404",
        "/api/v1/history?limit=1001, 400",
        "/api/v1/history?subject=noisy, 400",
        "/api/v1/history?since=1h, 400",
        "/api/v1/callers/top?limit=0, 400",
        "/api/v1/callers/top?limit=257, 400",
        "/api/v1/callers/top?limt=3, 400",
        "/api/v1/local, 404",
        "/api/v1/local/window, 400"
    })
    void whatIsNotThereIsSaidToBe(String path, int status) throws Exception {
        HttpResponse<String> response = get(path);

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.body()).startsWith("{\"error\":\"");
    }

    @Test
    void whoListensFromTheBeginningHearsOfTheLock() throws Exception {
        HttpRequest listen = HttpRequest.newBuilder(uri("/api/v1/events"))
                .header("Last-Event-ID", "")
                .build();

        try (Stream<String> lines = HttpClient.newHttpClient()
                .send(listen, HttpResponse.BodyHandlers.ofLines())
                .body()) {
            assertThat(lines.anyMatch(line -> line.startsWith("data: ") && line.contains("\"subject\":[\"noisy\"]")))
                    .isTrue();
        }
    }

    @Test
    void nothingCanBeWrittenUnlessItIsAllowed() throws Exception {
        HttpRequest post = HttpRequest.newBuilder(uri("/api/v1/locks"))
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();

        assertThat(HttpClient.newHttpClient()
                        .send(post, HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(403);
    }

    private Api openWith(Path tokenFile) throws Exception {
        return Api.open(
                new HttpSettings("127.0.0.1", 8480, tokenFile, List.of()),
                TestKafka.client(),
                served.fleet.topics,
                served.analyzer);
    }

    @Test
    void aFileOfSeveralTokensIsRefusedAtStart_withoutOneInTheMessage() throws Exception {
        Path file = Files.writeString(folder.resolve("tokens"), "0123456789abcdef\nfedcba9876543210\n");

        assertThatThrownBy(() -> openWith(file))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("http.token-file: " + file + " holds more than a token")
                .hasMessageNotContaining("0123456789");
    }

    @Test
    void aTokenThatIsTooShortIsRefusedAtStart() throws Exception {
        Path file = Files.writeString(folder.resolve("token"), "0123456789abcde\n");

        assertThatThrownBy(() -> openWith(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds 15 characters; a token needs 16 or more");
    }
}
