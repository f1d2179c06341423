package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.contract.topic.TopicNames;
import io.sluice.http.server.HttpEndpoint;
import io.sluice.kafka.embedded.KafkaProcess;
import io.sluice.settings.HttpSettings;
import io.sluice.settings.TopicSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What each view shows in Chromium before anything has happened, and while the broker or the analyzer is dead. */
@Tag("server")
@Tag("full")
class DashboardStatesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** More than a slow machine takes to look at each view while the broker is dead. */
    private static final Duration OUTAGE = Duration.ofMinutes(10);

    private static final String SILENCE = "Nothing comes from Kafka.";

    /** The remedies that each view of a new installation names. */
    private static final Map<String, List<String>> REMEDIES = Map.of(
            "now", List.of("Publish some: ./sluice policies apply", "services write to it: ./sluice doctor"),
            "caller/", List.of("Type the name of a caller"),
            "caller/nobody", List.of("No policies are in force", "./sluice policies apply"),
            "policies/none", List.of("Publish some: ./sluice policies apply"),
            "replay", List.of("Drop a log and a policy file here", "At most"),
            "agents", List.of("Add an agent to a service"),
            "letters", List.of("No record was dead-lettered"),
            "audit", List.of("No decision in this time. Choose a longer one."));

    /** Claims of an empty list, which only an answer can make. */
    private static final List<String> EMPTY = List.of(
            "No caller is locked",
            "It is not locked",
            "No agent has",
            "No record was",
            "No decision",
            "No requests in");

    @TempDir
    static Path folder;

    @RegisterExtension
    static final BeforeAllCallback chromium = context -> browser = Browser.shared(context);

    private static Browser browser;
    private static KafkaProcess kafka;
    private static Analyzer analyzer;
    private static Api api;
    private static HttpEndpoint server;

    @BeforeAll
    static void analyzerOfAnEmptyCluster() throws Exception {
        kafka = KafkaProcess.builder().start();
        // a broker that is away for longer ends an analyzer; the command starts it again, which nothing does here
        Map<String, Object> client =
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "max.block.ms", OUTAGE.toMillis());
        TopicNames topics = new TopicNames("sluice.");
        TestFleet settings = new TestFleet(folder, 1, topics);
        analyzer = Analyzer.start(new AnalyzerOptions(
                client,
                new TopicSettings(topics.prefix(), 1, (short) -1, true),
                true,
                List.of(TestFleet.json(topics.requests())),
                settings.analyzer("one", false),
                null));
        await().atMost(PATIENCE).until(analyzer::running);
        api = Api.open(
                new HttpSettings("127.0.0.1", 8480),
                client,
                topics,
                List.of(TestFleet.json(topics.requests())),
                new ServedAnalyzer(
                        "one",
                        600_000,
                        analyzer::running,
                        analyzer::counts,
                        analyzer.tasks().orElseThrow()));
        server = listen(0);
    }

    private static HttpEndpoint listen(int port) throws Exception {
        return HttpEndpoint.open("127.0.0.1", port, HttpEndpoint.Bounds.of(100), "test-states", api);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
            api.close();
        }
        if (analyzer != null) {
            analyzer.close();
        }
        if (kafka != null) {
            kafka.close();
        }
    }

    private static void show(String view) {
        browser.run("location.hash = arguments[0]", "#/" + view);
        await().atMost(PATIENCE)
                .until(() -> String.valueOf(
                                browser.run("return document.querySelector('nav [aria-current]').dataset.view"))
                        .equals(view.replaceAll("/.*", "")));
    }

    @Test
    void emptyFleet_everyView_saysWhatToDo() {
        for (Map.Entry<String, List<String>> view : REMEDIES.entrySet()) {
            browser.open(server.uri() + "/#/" + view.getKey());
            browser.awaitText("Live");
            browser.awaitText(view.getValue().toArray(String[]::new));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(browser.text()).doesNotContain("Missing:", SILENCE));
            assertThat(browser.violations()).as(view.getKey()).isEmpty();
            browser.screenshot("empty-" + view.getKey().replace("/", ""));
            assertThat(browser.errors()).as(view.getKey()).isEmpty();
        }
    }

    @Test
    void broker_diesAndReturns_everyViewShowsItMeanwhile() {
        browser.open(server.uri() + "/#/now");
        browser.awaitText("Live", "Locked callers");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(browser.text()).doesNotContain(SILENCE));

        kafka.kill();

        browser.awaitText(SILENCE);
        for (String view : REMEDIES.keySet()) {
            browser.open(server.uri() + "/#/" + view);
            browser.awaitText(SILENCE);
        }
        assertThat(browser.violations()).isEmpty();
        show("letters");
        browser.awaitText("Not up to date. Kafka did not answer in time; check that its brokers run");
        assertThat(browser.text()).doesNotContain("No record was dead-lettered");
        browser.screenshot("silent-letters");

        kafka.restart();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(browser.text())
                        .contains("No record was dead-lettered")
                        .doesNotContain(SILENCE, "Not up to date."));
        // the console shows what was answered with 503; errors of scripts would differ
        assertThat(browser.errors()).allMatch(error -> error.contains("Failed to load resource"));
    }

    @Test
    void analyzer_isDead_everyViewSaysSo_andClaimsNothing() throws Exception {
        // a view that was filled before keeps what it showed, marked as not up to date
        browser.open(server.uri() + "/#/replay");
        browser.awaitText("Live", "Drop a log");
        int port = server.uri().getPort();

        server.close();
        try {
            for (String view : REMEDIES.keySet()) {
                show(view);
                browser.awaitText("Not up to date. The analyzer does not answer.", "Reconnecting");
                assertThat(browser.text()).as(view).doesNotContain(EMPTY);
            }
        } finally {
            server = listen(port);
        }
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(browser.text()).contains("Live").doesNotContain("Not up to date."));
        assertThat(browser.errors()).allMatch(error -> error.contains("Failed to load resource"));
    }
}
