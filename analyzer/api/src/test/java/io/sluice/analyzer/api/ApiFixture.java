package io.sluice.analyzer.api;

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
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The base of the tests of the API: a running analyzer with a lock, on a real broker. */
abstract class ApiFixture {
    static final Duration PATIENCE = Duration.ofMinutes(2);

    static final AgentHeartbeat ORDERS_1 = new AgentHeartbeat(
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
            List.of("table-full", "later-reason"),
            0);

    @TempDir
    static Path folder;

    static ServedFleet served;

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

    @AfterAll
    static void stop() {
        served.close();
    }

    static Node.Mapping mapping(String json) throws Exception {
        return (Node.Mapping) JsonNodes.read(TestKafka.utf8(json), "test");
    }

    static URI uri(String path) {
        return served.uri().resolve(path);
    }

    static HttpResponse<String> get(String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
    }
}
