package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.Node;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.settings.HttpSettings;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The API of a running analyzer with a lock, on a real broker. */
@Tag("server")
class ApiTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final AgentHeartbeat ORDERS_1 = new AgentHeartbeat(
            "orders-1",
            "orders",
            Freshness.FRESH,
            1,
            2,
            3,
            4,
            5,
            Map.of("p", 3L),
            Map.of(),
            false,
            List.of("redis"),
            List.of("table-full", "later-reason"));

    /** The list of an answer that has items here. */
    private static final Map<String, String> FILLED = Map.of(
            "/api/v1/locks", "locks",
            "/api/v1/history", "decisions",
            "/api/v1/dead-letters", "letters",
            "/api/v1/callers/top", "callers",
            "/api/v1/policies/{policy}/nearest", "nearest");

    @TempDir
    static Path folder;

    private static ServedFleet served;

    @BeforeAll
    static void anAnalyzerWithALock() throws Exception {
        served = new ServedFleet(folder, 2, TestPolicies.aboveInAnHour(100));
        OperatorRecord said =
                new OperatorRecord.Lock("p", List.of("by/hand"), Mode.BLOCK, 0, 600_000, "ann", "test", 1);
        TestKafka.send(
                served.fleet.topics.operator(), CompositeKey.text(OperatorJson.key(said)), OperatorJson.write(said));
        served.fleet.send("noisy", 150);
        TestKafka.send(served.fleet.topics.requests(), List.of("no event"));
        await().atMost(PATIENCE).until(() -> {
            // an agent without a heartbeat for fifteen seconds is not listed
            TestKafka.send(served.fleet.topics.agents(), "orders-1", AgentHeartbeatJson.write(ORDERS_1));
            HttpResponse<String> locks = get("/api/v1/locks");
            return locks.body().contains("\"noisy\"")
                    && locks.body().contains("by/hand")
                    && get("/api/v1/agents").body().contains("orders-1")
                    && get("/api/v1/history?policy=p").body().contains("noisy")
                    && get("/api/v1/dead-letters").body().contains("no event")
                    && get("/api/v1/callers/top").body().contains("noisy")
                    && get("/api/v1/policies/p/nearest").body().contains("noisy");
        });
    }

    @Test
    void agents_comeInPages_eachOnce() throws Exception {
        Map<String, byte[]> beats = new HashMap<>();
        beats.put("orders-1", AgentHeartbeatJson.write(ORDERS_1));
        for (int i = 0; i < 25; i++) {
            // names that need escapes, and one that begins another
            String agent = "paged-" + i + (i % 2 == 0 ? "" : "/\"&é");
            beats.put(
                    agent,
                    AgentHeartbeatJson.write(
                            new AgentHeartbeat(agent, "paged", Freshness.FRESH, 1, 2, 3, 4, 5, Map.of(), Map.of())));
        }
        // an agent without a heartbeat for fifteen seconds is not listed
        await().atMost(PATIENCE).untilAsserted(() -> {
            TestKafka.send(served.fleet.topics.agents(), beats);
            assertThat(get("/api/v1/agents").body().split("\"paged-", -1)).hasSize(26);
            assertPages();
        });
    }

    private static void assertPages() throws Exception {
        List<String> agents = new ArrayList<>();
        String next = "";
        int pages = 0;
        while (next != null) {
            Node.Mapping page = mapping(get("/api/v1/agents?limit=7"
                            + (next.isEmpty() ? "" : "&after=" + URLEncoder.encode(next, StandardCharsets.UTF_8)))
                    .body());
            Tree.list(page, "agents").forEach(agent -> agents.add(Tree.text(agent, "agent")));
            next = page.value("next") instanceof Node.Scalar text ? text.text() : null;
            pages++;
        }
        assertThat(agents).doesNotHaveDuplicates().contains("orders-1", "paged-0", "paged-24");
        assertThat(agents).filteredOn(agent -> agent.startsWith("paged-")).hasSize(25);
        assertThat(pages).isEqualTo((agents.size() + 6) / 7);
        assertThat(get("/api/v1/agents?limit=1001").body()).contains("limit: found 1001, allowed is 1 to 1000");
        assertThat(get("/api/v1/agents?after=x").statusCode()).isEqualTo(400);
    }

    @AfterAll
    static void stop() {
        served.close();
    }

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
        Node schema =
                in(openApi, "paths", documented, "get", "responses", "200", "content", "application/json", "schema");

        HttpResponse<String> response = get(path);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
        conforms(mapping(response.body()), (Node.Mapping) schema, openApi, path);
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
    void locks_areBoundedByTheLimit_operatorsRecordsToo_andCounted() throws Exception {
        Map<String, byte[]> records = new HashMap<>();
        for (int i = 0; i < 5; i++) {
            OperatorRecord held = i < 2
                    ? new OperatorRecord.Lock("other", List.of("many-" + i), Mode.BLOCK, 0, 600_000, "ann", "test", 1)
                    : new OperatorRecord.Release("other", List.of("many-" + i), 600_000, "ann", "test", 1);
            records.put(CompositeKey.text(OperatorJson.key(held)), OperatorJson.write(held));
        }
        TestKafka.send(served.fleet.topics.operator(), records);
        await().atMost(PATIENCE).until(() -> get("/api/v1/locks").body().split("many-", -1).length > records.size());

        Node.Mapping all = mapping(get("/api/v1/locks").body());
        Node.Mapping page = mapping(get("/api/v1/locks?limit=2").body());

        assertThat(Tree.list(page, "operator"))
                .isEqualTo(Tree.list(all, "operator").subList(0, 2));
        assertThat(Tree.whole(page, "operatorTotal"))
                .isEqualTo(Tree.list(all, "operator").size());
        assertThat(Tree.whole(page, "operatorLocks"))
                .isEqualTo(Tree.list(all, "operator").stream()
                        .filter(record -> Tree.text(record, "type").equals("operator-lock"))
                        .count());
    }

    @Test
    void deadLetters_behindMarksOfRetries_areFound() throws Exception {
        TestKafka.send(served.fleet.topics.requests(), List.of("not json"));
        await().atMost(PATIENCE).until(() -> get("/api/v1/dead-letters").body().contains("not json"));

        // records without a reason
        TestKafka.send(served.fleet.topics.deadLetters(), Collections.nCopies(60, "retried"));

        assertThat(get("/api/v1/dead-letters?limit=2").body()).contains("not json");
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
    void rejections_ofAllAgents_areSummedByPolicy() throws Exception {
        for (String agent : List.of("sum-1", "sum-2")) {
            AgentHeartbeat beat = new AgentHeartbeat(
                    agent, "summed", Freshness.FRESH, 1, 2, 3, 4, 5, Map.of("sums", 3L), Map.of("sums", 4L, "q", 1L));
            TestKafka.send(served.fleet.topics.agents(), agent, AgentHeartbeatJson.write(beat));
        }

        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(get("/api/v1/policies/rejections").body())
                                .contains("\"sums\":6", "\"wouldReject\":{\"q\":2,\"sums\":8}"));
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

    @ParameterizedTest
    @CsvSource({
        "/, text/html",
        "/dashboard/app.js, text/javascript",
        "/dashboard/app.css, text/css",
        "/dashboard/uplot.js, text/javascript"
    })
    void dashboard_files_areServedWithPolicyAndETag(String path, String type) throws Exception {
        HttpResponse<String> response = get(path);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith(type);
        assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(response.headers().firstValue("Content-Security-Policy").orElseThrow())
                .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
                .doesNotContain("unsafe");
        HttpRequest again = HttpRequest.newBuilder(uri(path))
                .header("If-None-Match", response.headers().firstValue("ETag").orElseThrow())
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(again, HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(304);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/dashboard/",
                "/dashboard/none.js",
                "/dashboard/%2e%2e/openapi.json",
                "/dashboard/..%2fopenapi.json"
            })
    void dashboard_otherPaths_areNotFound(String path) throws Exception {
        assertThat(get(path).statusCode()).isEqualTo(404);
    }

    @Test
    void dashboard_scripts_staySmall() throws Exception {
        long bytes = 0;
        for (String name : scripts()) {
            HttpResponse<byte[]> script = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(uri("/dashboard/" + name)).build(),
                            HttpResponse.BodyHandlers.ofByteArray());
            assertThat(script.statusCode()).as(name).isEqualTo(200);
            bytes += script.body().length;
        }
        assertThat(bytes).isLessThan(150_000);
    }

    private static List<String> scripts() throws IOException {
        List<String> names = new ArrayList<>(List.of("uplot.js"));
        try (Stream<Path> files =
                Files.list(Path.of("../../analyzer/api/src/main/resources/io/sluice/analyzer/api/dashboard"))) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".js"))
                    .forEach(names::add);
        }
        return names;
    }

    @Test
    void pathAboveTheRoot_isRefused() throws Exception {
        assertThat(get("/../etc/passwd").statusCode()).isEqualTo(400);
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

    /** What is required is there, and nothing is there that is not described. */
    private static void conforms(Node value, Node.Mapping schema, Node.Mapping openApi, String place) {
        Node.Mapping described = resolved(schema, openApi);
        if (value instanceof Node.Listing list) {
            list.items().forEach(item -> conforms(item, (Node.Mapping) in(described, "items"), openApi, place + "[]"));
        } else if (value instanceof Node.Mapping object
                && described.value("properties") instanceof Node.Mapping properties) {
            assertThat(object.entries().stream().map(Node.Entry::key))
                    .as(place)
                    .containsAll(texts(described.value("required")));
            boolean openEnded = texts(described.value("required")).contains("policies")
                    || texts(described.value("required")).contains("author");
            for (Node.Entry entry : object.entries()) {
                Node property = properties.value(entry.key());
                if (property == null) {
                    assertThat(openEnded)
                            .as(place + "." + entry.key() + " is not described")
                            .isTrue();
                } else {
                    conforms(entry.value(), (Node.Mapping) property, openApi, place + "." + entry.key());
                }
            }
        }
    }

    private static Node.Mapping resolved(Node.Mapping schema, Node.Mapping openApi) {
        return schema.value("$ref") instanceof Node.Scalar reference
                ? (Node.Mapping) in(openApi, reference.text().substring(2).split("/", -1))
                : schema;
    }

    private static List<String> texts(Node listing) {
        return listing instanceof Node.Listing list
                ? list.items().stream().map(item -> ((Node.Scalar) item).text()).toList()
                : List.of();
    }

    private static Node in(Node node, String... path) {
        Node found = node;
        for (String key : path) {
            found = ((Node.Mapping) found).value(key);
            assertThat(found).as(key).isNotNull();
        }
        return found;
    }

    private static Node.Mapping mapping(String json) throws Exception {
        return (Node.Mapping) JsonNodes.read(TestKafka.utf8(json), "test");
    }

    private static URI uri(String path) {
        return served.uri().resolve(path);
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
    }
}
