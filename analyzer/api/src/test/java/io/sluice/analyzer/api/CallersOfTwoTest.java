package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.json.Node;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.pseudonym.Pseudonyms;
import io.sluice.http.server.HttpEndpoint;
import io.sluice.settings.HttpSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two analyzers that share the work: the answer of either covers both. */
@Tag("server")
class CallersOfTwoTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TOKEN = "0123456789abcdef";
    private static final int PARTITIONS = 4;
    private static final int CALLERS = 12;
    private static final PolicySet POLICIES = TestPolicies.yaml("""
            policies:
              - { name: often, per: [caller], window: 1h, panes: 60, lock: { when: [{ above: 100 }], for: 5m } }
              - { name: much, per: [caller, service], measure: bytes, window: 1h, panes: 60, lock: { when: [{ above: 1GB }] } }
            """);

    @TempDir
    Path folder;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private TestFleet fleet;
    private Path token;
    private Instance one;
    private Instance two;
    /** Time of all events, epoch milliseconds. */
    private long sent;

    /** An analyzer with its API. */
    private final class Instance implements AutoCloseable {
        private final Analyzer analyzer;
        private final Api api;
        private final AtomicReference<String> catchingUp = new AtomicReference<>("");
        private final AtomicReference<HttpEndpoint.Answers> answers = new AtomicReference<>();
        private final HttpEndpoint server;
        private final String address;

        private Instance(String name) throws Exception {
            server = HttpEndpoint.open(
                    "127.0.0.1",
                    0,
                    HttpEndpoint.Bounds.of(100),
                    "test-api",
                    (request, response, callback) -> answers.get().answer(request, response, callback));
            address = server.uri().getAuthority();
            AnalyzerOptions plain = fleet.options(name, POLICIES, false);
            analyzer = fleet.start(new AnalyzerOptions(
                    plain.client(),
                    plain.topics(),
                    true,
                    plain.sources(),
                    plain.analyzer(),
                    plain.policies(),
                    address));
            api = Api.open(
                    new HttpSettings("127.0.0.1", server.uri().getPort(), token, List.of()),
                    TestKafka.client(),
                    fleet.topics,
                    new ServedAnalyzer(
                            name,
                            600_000,
                            analyzer::running,
                            analyzer::counts,
                            analyzer.tasks().orElseThrow(),
                            catchingUp::get,
                            Pseudonyms.NONE));
            answers.set(api);
        }

        private Node.Mapping get(String path) throws Exception {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + "/api/v1/" + path))
                    .header("Authorization", "Bearer " + TOKEN)
                    .build();
            HttpResponse<byte[]> answer =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            return Tree.of(answer.body());
        }

        /** Gone without a word, as far as the other can see: static members keep their place for a while. */
        @Override
        public void close() {
            server.close();
            api.close();
        }
    }

    @BeforeEach
    void twoInstancesThatBothHaveTasks() throws Exception {
        token = Files.writeString(folder.resolve("token"), TOKEN);
        fleet = new TestFleet(folder, PARTITIONS);
        one = new Instance("one");
        two = new Instance("two");
        await().atMost(PATIENCE)
                .until(() -> here(one).size() + here(two).size() == PARTITIONS
                        && !here(one).isEmpty()
                        && !here(two).isEmpty());
        fleet.awaitReady();
        sent = System.currentTimeMillis();
        List<String> events = new ArrayList<>();
        for (int n = 0; n < CALLERS; n++) {
            events.addAll(Collections.nCopies(10 * (n + 1), TestFleet.event("c" + n, sent)));
        }
        TestKafka.send(fleet.topics.requests(), events);
        await().atMost(PATIENCE)
                .until(() -> callers(one).size() == CALLERS && callers(two).size() == CALLERS);
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
        fleet.close();
        threads.shutdownNow();
    }

    @Tag("full")
    @Test
    void whoeverIsAskedTellsOfAll() throws Exception {
        // a task tells of what has come once a second
        await().atMost(PATIENCE).untilAsserted(this::assertBothTellOfAll);
    }

    private void assertBothTellOfAll() throws Exception {
        Node.Mapping top = one.get("callers/top?limit=5&policy=often");
        List<Node> rows = Tree.list(top, "callers");

        assertThat(Tree.list(top, "missing")).isEmpty();
        assertThat(Tree.list(one.get("policies/often/nearest"), "missing")).isEmpty();
        assertThat(names(rows)).isEqualTo(List.of("c11", "c10", "c9", "c8", "c7"));
        assertThat(names(Tree.list(two.get("callers/top?limit=5&policy=often"), "callers")))
                .isEqualTo(names(rows));
        // a task answers as of its newest heartbeat, and clocks of the broker's time differ a little
        assertThat(Tree.number(rows.get(0), "requests"))
                .isBetween(faded(top, -5_000) - 0.1, Math.min(120, faded(top, 5_000)) + 0.1);
        // 120 of 780; all are of one time, so they have faded alike
        assertThat(Tree.number(rows.get(0), "share")).isBetween(0.13, 0.18);
        assertThat(names(Tree.list(two.get("callers/top?policy=often"), "callers")))
                .hasSize(CALLERS);
    }

    /** What is left of the 120 requests a while before the answer's time: by 1/e in each minute. */
    private double faded(Node.Mapping top, long earlierMillis) {
        return 120 * Math.exp((sent - (Tree.whole(top, "brokerTime") - earlierMillis)) / 60_000.0);
    }

    @Tag("full")
    @Test
    void top_otherInstanceIsBehind_namesIt() throws Exception {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Tree.list(one.get("callers/top?limit=1"), "missing"))
                        .isEmpty());
        assertThat(Tree.list(one.get("callers/top?limit=1"), "behind")).isEmpty();

        two.catchingUp.set("catching up: 90 s behind the newest request");

        // an instance that answers late is missing instead
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Tree.list(one.get("callers/top?limit=2"), "behind"))
                        .map(it -> Tree.text(it, "what") + ": " + Tree.text(it, "why"))
                        .isEqualTo(List.of("two: catching up: 90 s behind the newest request")));
    }

    @Tag("full")
    @Test
    void aWindowIsReadWhereItIs() throws Exception {
        for (int n = 0; n < CALLERS; n++) {
            for (Instance asked : List.of(one, two)) {
                int caller = n;
                // each policy's windows are counted by a task of their own
                await().atMost(PATIENCE).untilAsserted(() -> assertWindows(asked, caller));
            }
        }
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Tree.list(two.get("callers/c11"), "locks"))
                        .map(lock -> Tree.text(lock, "policy"))
                        .isEqualTo(List.of("often")));
    }

    @Tag("full")
    @Test
    void whoDoesNotAnswerIsNamedAndTheRestIsTold() throws Exception {
        List<Integer> gone = here(two);
        two.close();

        Node.Mapping top = one.get("callers/top?limit=256");

        assertThat(Tree.list(top, "missing"))
                .map(it -> Tree.text(it, "what"))
                .containsAll(
                        gone.stream().map(partition -> "partition " + partition).toList())
                .contains(two.address);
        assertThat(Tree.list(one.get("policies/often/nearest"), "missing"))
                .map(it -> Tree.text(it, "what"))
                .containsAll(
                        gone.stream().map(partition -> "partition " + partition).toList());
        assertThat(names(Tree.list(top, "callers"))).isNotEmpty().hasSizeLessThan(CALLERS);
        List<String> whole = IntStream.range(0, CALLERS)
                .filter(n -> missing("c" + n).isEmpty())
                .mapToObj(n -> "c" + n)
                .toList();
        List<String> partly = IntStream.range(0, CALLERS)
                .filter(n -> missing("c" + n).contains(two.address))
                .mapToObj(n -> "c" + n)
                .toList();
        // what it can't know of, it does not deny
        assertThat(partly).isNotEmpty();
        assertThat(whole.size() + partly.size()).isEqualTo(CALLERS);
    }

    private static void assertWindows(Instance asked, int n) throws Exception {
        Node.Mapping caller = asked.get("callers/c" + n);

        assertThat(Tree.list(caller, "missing")).isEmpty();
        assertThat(Tree.list(caller, "windows")).hasSize(2);
        Node often = Tree.list(caller, "windows").get(0);
        assertThat(Tree.text(often, "policy")).isEqualTo("often");
        assertThat(Tree.number(often, "sum")).isEqualTo(10 * (n + 1));
        assertThat(Tree.list(often, "amounts")).hasSize(60);
        assertThat(Tree.number(often, "threshold")).isEqualTo(100);
        Node much = Tree.list(caller, "windows").get(1);
        assertThat(Tree.texts(much, "subject")).isEqualTo(List.of("c" + n, "orders"));
        assertThat(Tree.number(much, "sum")).isEqualTo(1_000 * (n + 1));
    }

    private List<String> missing(String caller) {
        try {
            return Tree.list(one.get("callers?policy=often&subject=" + caller), "missing").stream()
                    .map(it -> Tree.text(it, "what"))
                    .toList();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Integer> here(Instance instance) {
        return instance.analyzer.tasks().orElseThrow().here().stream().sorted().toList();
    }

    private static List<String> callers(Instance instance) throws Exception {
        return names(Tree.list(instance.get("callers/top?limit=256&policy=often"), "callers"));
    }

    private static List<String> names(List<Node> rows) {
        return rows.stream()
                .filter(row -> Tree.texts(row, "per").equals(List.of("caller")))
                .map(row -> Tree.texts(row, "subject").get(0))
                .collect(Collectors.toList());
    }
}
