package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.list;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.main.AnalyzerMain;
import io.sluice.analyzer.main.AnalyzerSecrets;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.topic.TopicDefinition;
import io.sluice.contract.topic.Topics;
import io.sluice.settings.SluiceSettings;
import io.sluice.settings.SourceSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An analyzer that can't start, can't go on, or finds its state broken; on a real broker. */
@Tag("server")
class AnalyzerFailureTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final PolicySet POLICIES = TestPolicies.yaml("""
            policies:
              - { name: noisy, per: [caller], window: 60s, panes: 10, lock: { when: [{ above: 100 }], mode: block } }
            """);

    /** Whose window does not end before an analyzer has started again. */
    private static final PolicySet LONG = TestPolicies.yaml("""
            policies:
              - { name: noisy, per: [caller], window: 10m, panes: 10, lock: { when: [{ above: 100 }], mode: block } }
            """);

    @TempDir
    Path directory;

    private TestFleet fleet;

    @BeforeEach
    void open() {
        fleet = new TestFleet(directory, 2).handingOver();
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    @Test
    void wrongTopicsAreNamedOneALineWithTheRemedy() throws Exception {
        for (TopicDefinition right : Topics.definitions(fleet.topics, 2, 1, 600_000)) {
            Map<String, String> settings = new HashMap<>(right.settings());
            if (right.name().equals(fleet.topics.gateLocks())) {
                settings.put("cleanup.policy", "delete");
            }
            if (!right.name().equals(fleet.topics.operator())) {
                TestKafka.topic(
                        right.name(), right.name().equals(fleet.topics.usage()) ? 3 : right.partitions(), settings);
            }
        }
        AnalyzerOptions options = without(fleet.options("a", POLICIES, false));

        assertThatThrownBy(() -> fleet.start(options))
                .isInstanceOf(CannotStart.class)
                .asInstanceOf(type(CannotStart.class))
                .extracting(CannotStart::reasons)
                .asInstanceOf(list(String.class))
                .anyMatch(line -> line.startsWith("topic " + fleet.topics.operator() + ": is missing"))
                .anyMatch(line ->
                        line.startsWith("topic " + fleet.topics.gateLocks() + ": ") && line.contains("cleanup.policy"))
                .anyMatch(line -> line.contains("partitions"))
                .allMatch(line -> line.contains("; ") && !line.contains("\n"));
    }

    private static AnalyzerOptions without(AnalyzerOptions options) {
        return new AnalyzerOptions(
                options.client(), options.topics(), false, options.sources(), options.analyzer(), options.policies());
    }

    @Test
    void aSecondProcessOfTheSameInstanceIsRefused() throws Exception {
        fleet.start("a", POLICIES);

        assertThatThrownBy(() -> fleet.start("a", POLICIES))
                .isInstanceOf(CannotStart.class)
                .hasMessageContaining("analyzer.instance")
                .hasMessageContaining("already running");
    }

    @Tag("full")
    @Test
    void start_instanceThatRunsWithAnotherStateDirectory_isRefusedAndTheFirstRunsOn() throws Exception {
        Analyzer first = fleet.start("a", POLICIES);
        fleet.awaitReady();
        try (TestFleet elsewhere = new TestFleet(directory.resolve("elsewhere"), 2, fleet.topics).handingOver()) {
            assertThatThrownBy(() -> elsewhere.start("a", POLICIES))
                    .isInstanceOf(CannotStart.class)
                    .hasMessageContaining("another process runs as 'a'");
        }

        assertThat(first.running()).isTrue();
        fleet.send("noisy", 3);
        await().atMost(PATIENCE).until(() -> first.counts().getOrDefault(Count.EVENTS, 0L) == 3);
    }

    @Tag("full")
    @Test
    void start_instanceThatStoppedWithAnotherStateDirectory_startsWhenItsSessionHasEnded() throws Exception {
        fleet.start("a", POLICIES);
        fleet.awaitReady();
        fleet.close();

        try (TestFleet elsewhere = new TestFleet(directory.resolve("elsewhere"), 2, fleet.topics).handingOver()) {
            Analyzer second = elsewhere.start("a", POLICIES);
            await().atMost(PATIENCE).until(second::running);
        }
    }

    @Tag("full")
    @Test
    void await_stateDirectoryDeleted_stopsAndNamesTheDirectory() throws Exception {
        Analyzer analyzer = fleet.start("a", POLICIES);
        fleet.awaitReady();

        CorruptState.wipe(fleet.options("a", POLICIES, false).stateDirectory());

        assertThat(CompletableFuture.supplyAsync(() -> ended(analyzer)).get(2, TimeUnit.MINUTES))
                .startsWith("analyzer.state-dir: ")
                .contains("was deleted while the analyzer ran");
        analyzer.close();
        Analyzer again = fleet.start("a", POLICIES);
        await().atMost(PATIENCE).until(again::running);
    }

    private static String ended(Analyzer analyzer) {
        try {
            return analyzer.await().orElse("a clean stop");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Tag("full")
    @Test
    void whenATopicIsGoneAndBackAnInstanceThatRestartsAtOnceReadsIt() throws Exception {
        Analyzer first = fleet.start("a", POLICIES);
        fleet.awaitReady();
        TestKafka.admin().deleteTopics(List.of(fleet.topics.requests())).all().get();
        assertThat(first.await()).contains(gone());
        first.close();
        TestKafka.topic(fleet.topics.requests(), 2, Map.of());

        Analyzer again = fleet.start("a", POLICIES);
        fleet.send("noisy", 3);

        await().atMost(PATIENCE).until(() -> again.counts().getOrDefault(Count.EVENTS, 0L) == 3 && again.running());
    }

    /** Found by Kafka Streams or by the check of the topics, whichever is first. */
    private String gone() {
        return "topic " + fleet.topics.requests() + ": " + TopicWatch.DELETED;
    }

    @Tag("full")
    @Test
    void aCleanStopIsNoFailure() throws Exception {
        Analyzer analyzer = fleet.start("a", POLICIES);
        await().atMost(PATIENCE).until(analyzer::running);
        analyzer.close();

        assertThat(analyzer.await()).isEmpty();
    }

    @Tag("full")
    @Test
    void theProcessEndsWithOneWhenTheStreamDies() throws Exception {
        Path settings = settings();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(() -> main(settings, err));
        await().atMost(PATIENCE)
                .until(() -> TestKafka.admin().listTopics().names().get().contains(fleet.topics.gateLocks()));
        await().atMost(PATIENCE)
                .until(() -> !TestKafka.read(fleet.topics.gateLocks()).isEmpty());

        TestKafka.admin().deleteTopics(List.of(fleet.topics.requests())).all().get();

        assertThat(exit.get(2, TimeUnit.MINUTES)).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(gone());
    }

    @Test
    void pagesOpenToTheNetworkNeedAToken() throws Exception {
        Path file = settings();
        String asItWas = Files.readString(file);
        SluiceSettings open =
                SluiceSettings.read(Files.writeString(file, asItWas + "http: { bind: 0.0.0.0 }\n"), Map.of());

        assertThatThrownBy(() -> AnalyzerMain.options(open))
                .isInstanceOf(CannotStart.class)
                .hasMessageContaining("http.bind: found 0.0.0.0 without http.token-file, allowed is 127.0.0.1 or ::1");

        Path token = Files.writeString(directory.resolve("token"), "0123456789abcdef");
        for (String allowed : List.of(
                "http: { bind: localhost }",
                "http: { bind: 0.0.0.0, port: 0 }",
                "http: { bind: 0.0.0.0, token-file: " + token + " }")) {
            SluiceSettings read = SluiceSettings.read(Files.writeString(file, asItWas + allowed + "\n"), Map.of());
            assertThat(AnalyzerMain.options(read).sources()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.invalid"})
    void pagesAtAnAddressOfAnotherMachine_areRefused(String bind) throws Exception {
        Path file = settings();
        String token = "token-file: " + Files.writeString(directory.resolve("token"), "0123456789abcdef");
        String asItWas = Files.readString(file);
        for (String access : List.of("", ", " + token)) {
            SluiceSettings read = SluiceSettings.read(
                    Files.writeString(file, asItWas + "http: { bind: " + bind + access + " }\n"), Map.of());

            assertThatThrownBy(() -> AnalyzerMain.options(read))
                    .isInstanceOf(CannotStart.class)
                    .hasMessageStartingWith("http.bind: found " + bind + ", allowed is an address of this machine");
        }
    }

    private static int main(Path settings, ByteArrayOutputStream err) {
        try {
            SluiceSettings read = SluiceSettings.read(settings, Map.of());
            return AnalyzerMain.run(
                    read,
                    AnalyzerMain.options(read),
                    AnalyzerSecrets.read(read),
                    new PrintStream(err, true, StandardCharsets.UTF_8));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Path settings() throws IOException {
        Path policies = Files.writeString(directory.resolve("policies.yml"), """
                policies:
                  - { name: noisy, per: [caller], lock: { when: [{ above: 100 }], mode: block } }
                """);
        return Files.writeString(directory.resolve("sluice.yml"), """
                kafka: { bootstrap.servers: "%s" }
                topics: { prefix: "%s", partitions: 2, create: true }
                policies: %s
                analyzer: { instance: a, state-dir: %s }
                """.formatted(
                        TestKafka.bootstrapServers(), fleet.topics.prefix(), policies, directory.resolve("state")));
    }

    @Test
    void aFormatThatIsNotKnownIsNamed() {
        AnalyzerOptions options = fleet.options("a", POLICIES, false);
        SourceSettings source = new SourceSettings(
                fleet.topics.requests(), "morse", List.of(), null, null, Set.of(429), Map.of(), Map.of(), List.of());
        AnalyzerOptions morse = new AnalyzerOptions(
                options.client(), options.topics(), true, List.of(source), options.analyzer(), POLICIES);

        assertThatThrownBy(() -> fleet.start(morse))
                .isInstanceOf(CannotStart.class)
                .hasMessageContaining("morse");
    }

    @Test
    void changelogs_ofWindows_rollAndCompactLongBeforeTheirRetentionEnds() throws Exception {
        fleet.start("a", POLICIES);
        fleet.awaitReady();

        for (String store : List.of("windows-short", "windows-medium", "windows-long", "leases", "meter-epoch")) {
            Map<String, String> found = settings(fleet.topics.prefix() + "sluice-analyzer-" + store + "-changelog");
            assertThat(Long.parseLong(found.get("segment.ms"))).as(store).isLessThanOrEqualTo(600_000);
            assertThat(Long.parseLong(found.get("segment.bytes"))).as(store).isLessThanOrEqualTo(64 << 20);
            assertThat(Double.parseDouble(found.get("min.cleanable.dirty.ratio")))
                    .as(store)
                    .isLessThan(0.5);
        }
        Map<String, String> windows = settings(fleet.topics.prefix() + "sluice-analyzer-windows-short-changelog");
        assertThat(windows).containsEntry("cleanup.policy", "compact,delete").containsEntry("retention.ms", "1200000");
        assertThat(Long.parseLong(windows.get("segment.ms"))).isLessThanOrEqualTo(120_000);
    }

    private static Map<String, String> settings(String topic) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        Map<String, String> settings = new HashMap<>();
        TestKafka.admin()
                .describeConfigs(List.of(resource))
                .all()
                .get()
                .get(resource)
                .entries()
                .forEach(entry -> settings.put(entry.name(), entry.value()));
        return settings;
    }

    @Tag("full")
    @Test
    void brokenStateIsWipedAndRebuiltFromItsChangelog() throws Exception {
        try (Analyzer before = Analyzer.start(fleet.options("a", LONG, false))) {
            fleet.awaitReady();
            fleet.send("noisy", 60);
            await().atMost(PATIENCE).until(() -> fleet.usage().getOrDefault(List.of("noisy"), 0L) == 60);
            assertThat(before.running()).isTrue();
        }
        assertThat(breakManifests()).isPositive();

        fleet.start("a", LONG);
        fleet.awaitReady();
        fleet.send("noisy", 41);

        await().atMost(PATIENCE).until(() -> !fleet.locks().isEmpty());
        assertThat(fleet.locks().get(0).evidence().sum()).isEqualTo(101);
    }

    /** Garbage in place of every RocksDB manifest. */
    private int breakManifests() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> manifests = files.filter(
                            file -> file.getFileName().toString().startsWith("MANIFEST"))
                    .toList();
            for (Path manifest : manifests) {
                Files.write(manifest, new byte[] {1, 2, 3, 4, 5});
            }
            return manifests.size();
        }
    }
}
