package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.json.Node;
import io.sluice.contract.policy.PolicySet;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Conditions of a caller with a past, over HTTP, from a running analyzer on a real broker. */
@Tag("server")
class CallerStandingTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int SECONDS = 40;

    @TempDir
    Path folder;

    @Test
    @Tag("full")
    void caller_afterSteadyUse_hasBaselineShareDebtAndEarlierWindow() throws Exception {
        PolicySet policies = TestPolicies.set("{'policies':["
                + policy(
                        "often",
                        "{'when':[{'above':1000},{'all':[{'above':10},{'spike':3,'baseline':'30m','floor':0}]}]}")
                + "," + policy("crowd", "{'when':[{'share':'90%','of':[],'beyond':1000}]}")
                + "," + policy("credit", "{'when':[{'above':1}],'for':'debt'}") + "]}");
        try (ServedFleet served = new ServedFleet(folder, 1, policies)) {
            send(served.fleet);

            await().atMost(PATIENCE).untilAsserted(() -> assertStandings(get(served, "callers/acme")));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(Tree.list(get(served, "policies/often/nearest"), "nearest"))
                            .isNotEmpty()
                            .allMatch(one -> Tree.number(one, "threshold") == 10));
        }
    }

    @Test
    @Tag("full")
    void caller_quiet_isCountedWholeOnceItIsLookedAt() throws Exception {
        PolicySet policies = TestPolicies.set("{'policies':["
                + "{'name':'often','per':['caller'],'window':'10m','lock':{'when':[{'above':1000}]}}]}");
        try (ServedFleet served = new ServedFleet(folder, 4, policies)) {
            TestKafka.send(
                    served.fleet.topics.requests(),
                    IntStream.range(0, 6_000)
                            .mapToObj(i -> TestFleet.event(i % 1_000 == 999 ? "acme" : "other-" + i % 3_000))
                            .toList());

            await().atMost(PATIENCE).untilAsserted(() -> {
                Node often = Tree.list(get(served, "callers/acme"), "windows").get(0);
                assertThat(Tree.list(often, "admitted").stream()
                                .mapToDouble(Tree::number)
                                .sum())
                        .isEqualTo(6);
            });
        }
    }

    private static String policy(String name, String lock) {
        return "{'name':'" + name + "','per':['caller'],'window':'1s','panes':10,'lock':" + lock + "}";
    }

    /** Two requests a second of acme and six of others, which ended a moment ago. */
    private static void send(TestFleet fleet) {
        long end = System.currentTimeMillis();
        List<String> events = new ArrayList<>();
        for (int i = 0; i < SECONDS * 8; i++) {
            String caller = i % 4 == 0 ? "acme" : "other-" + i % 4;
            events.add(TestFleet.event(caller, end - SECONDS * 1000L + i * 125L));
        }
        TestKafka.send(fleet.topics.requests(), events);
    }

    private static Node.Mapping get(ServedFleet served, String path) throws Exception {
        URI uri = served.uri().resolve("/api/v1/" + path);
        HttpResponse<byte[]> answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofByteArray());
        return Tree.of(answer.body());
    }

    private static void assertStandings(Node.Mapping caller) {
        List<Node> windows = Tree.list(caller, "windows");
        assertThat(windows).map(window -> Tree.text(window, "policy")).isEqualTo(List.of("often", "crowd", "credit"));
        Node often = windows.get(0);
        List<Node> conditions = Tree.list(often, "conditions");
        assertThat(conditions).hasSize(2);
        assertThat(Tree.number(Tree.list(conditions.get(0), "all").get(0), "limit"))
                .isEqualTo(1000);
        Node spike = Tree.list(conditions.get(1), "all").get(1);
        assertThat(Tree.text(spike, "detector")).isEqualTo("spike");
        assertThat(Tree.number(spike, "baseline")).isBetween(0.1, 2.1);
        assertThat(Tree.number(spike, "limit"))
                .isCloseTo(Math.max(1, 3 * Tree.number(spike, "baseline")), within(0.001));
        assertThat(Tree.list(Tree.object(often, "earlier"), "admitted")).hasSize(10);
        assertThat(Tree.whole(Tree.object(often, "earlier"), "from")).isEqualTo(Tree.whole(often, "from") - 1000);
        assertThat(Tree.number(often, "share")).isCloseTo(0.25, within(0.05));
        Node share =
                Tree.list(Tree.list(windows.get(1), "conditions").get(0), "all").get(0);
        assertThat(Tree.number(share, "limit")).isEqualTo(900);
        assertThat(Tree.text(share, "holds")).isEqualTo("false");
        Node debt =
                Tree.list(Tree.list(windows.get(2), "conditions").get(0), "all").get(0);
        assertThat(Tree.text(debt, "detector")).isEqualTo("debt");
        assertThat(Tree.number(debt, "observed")).isGreaterThanOrEqualTo(0);
    }
}
