package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.json.Node;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lists of the API: pages, limits, and sums over the fleet. */
@Tag("server")
class ApiListsTest extends ApiFixture {
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
}
