package io.sluice.analyzer.cli;

import static io.sluice.analyzer.cli.CommandResult.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.GateAgent;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.kafka.embedded.EmbeddedKafka;
import io.sluice.settings.SluiceSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of an operator on call, against a real broker and a running analyzer. */
@Tag("server")
class OperatingTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String POLICIES = """
            allow: [ { caller: "internal-*" } ]
            policies:
              - { name: noisy, match: { service: orders }, per: [caller], window: 10m, lock: { when: [ { above: 100 } ], for: 1m } }
              - { name: slow, match: { status: 5xx }, per: [caller], measure: millis, lock: { when: [ { above: 1000 } ] } }
              - { name: plans, per: [caller], limit: { rate: 10/s } }
            """;

    @TempDir
    static Path folder;

    private static EmbeddedKafka kafka;
    private static Analyzer analyzer;

    @BeforeAll
    static void aBrokerAndAnAnalyzerWithPolicies() throws Exception {
        kafka = EmbeddedKafka.builder().start();
        String config = config("sluice.", "caller");
        assertThat(run("topics", "create", "--config", config).code()).isZero();
        SluiceSettings settings = SluiceSettings.read(Path.of(config), Map.of());
        analyzer = Analyzer.start(AnalyzerOptions.of(settings, settings.kafka().client(), null));
        String policies =
                Files.writeString(folder.resolve("policies.yml"), POLICIES).toString();
        await().atMost(PATIENCE)
                .until(() -> run("policies", "apply", policies, "--config", config)
                        .out()
                        .contains("is in force"));
    }

    @AfterAll
    static void stop() {
        analyzer.close();
        kafka.close();
    }

    @Test
    void agentsAreListedWithWhatTheyDid() throws Exception {
        String config = config("sluice.", "caller");

        // an agent without a heartbeat for fifteen seconds is not alive
        await().atMost(PATIENCE).untilAsserted(() -> {
            agent("orders-1", Freshness.FRESH);
            agent("orders-2", Freshness.STALE);
            agent("orders-3", Freshness.FRESH, List.of("redis", "sql for sliding-log"), List.of());
            agent("orders-4", Freshness.FRESH, List.of(), List.of("table-full", "later-reason"));
            assertThat(run("agents", "list", "--config", config).out())
                    .containsPattern("orders-1 +orders +fresh +\\d+m?s ago +2 +1,000 +30 +4\n")
                    .containsPattern("orders-2 +orders +stale ")
                    .containsPattern("orders-3 +orders +fresh, without redis, sql for sliding-log ")
                    .containsPattern("orders-4 +orders +fresh .* 4 +table-full, later-reason\n")
                    .contains("table-full: its table of subjects is full: further callers share one limit\n")
                    .contains("later-reason: a reason of a newer version\n");
            assertThat(run("agents", "list", "--json", "--config", config).out())
                    .contains("\"agent\":\"orders-1\",\"service\":\"orders\",\"alive\":true,\"freshness\":\"fresh\"")
                    .contains("\"unanswered\":[\"redis\",\"sql for sliding-log\"]")
                    .contains("\"reasons\":[\"table-full\",\"later-reason\"]");
        });
        try (WatchedCommand watched = WatchedCommand.start("agents", "list", "--watch", "--config", config)) {
            watched.shows("AGENT ", 2);
            assertThat(watched.out().toString()).doesNotContain("\u001b");
        }
    }

    @Test
    void agentsThatShareAnId_areCounted() throws Exception {
        String config = config("sluice.", "caller");

        try (GateAgent one = copied();
                GateAgent two = copied()) {
            assertThat(one.id()).isEqualTo(two.id());
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(run("agents", "list", "--config", config).out())
                        .containsPattern("copied +orders +\\w+, 2 processes with this id ");
                assertThat(run("agents", "list", "--json", "--config", config).out())
                        .contains("\"processes\":2");
                assertThat(run("doctor", "--config", config).out())
                        .contains("agent copied of orders: 2 processes have this id");
            });
        }
    }

    private static GateAgent copied() {
        return GateAgent.builder()
                .bootstrap(kafka.bootstrapServers())
                .service("orders")
                .id("copied")
                .heartbeat(Duration.ofMillis(200))
                .build();
    }

    @Test
    void historyTellsWhoLockedAndWhoReleased() throws Exception {
        String config = config("sluice.", "caller");
        run("locks", "add", "noisy", "acme", "--for", "30m", "--reason", "incident", "--config", config);
        run("locks", "release", "noisy", "acme", "--reason", "talked to them", "--config", config);

        CommandResult history = run("locks", "history", "noisy", "acme", "--config", config);
        CommandResult other = run("locks", "history", "noisy", "globex", "--config", config);
        CommandResult json = run("locks", "history", "--since", "2h", "--json", "--config", config);

        assertThat(history.out())
                .containsPattern(
                        "(?s)locked +noisy +acme .*block for 30m: incident.*released +noisy +acme .*talked to them");
        assertThat(other.out()).contains("nothing happened in the last 1h");
        assertThat(json.out())
                .contains("\"what\":\"locked\",\"policy\":\"noisy\",\"subject\":[\"acme\"]", "\"what\":\"whole\"");
    }

    @Test
    void whatTheAnalyzerLockedIsInItsHistory() throws Exception {
        String config = config("sluice.", "caller");

        // sent again and again: nothing opens before the analyzer has read its own time
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).until(() -> {
            for (int i = 0; i < 15; i++) {
                send("{\"time\":" + System.currentTimeMillis()
                        + ",\"caller\":\"loud\",\"service\":\"orders\",\"status\":200,\"count\":10}");
            }
            return run("locks", "history", "noisy", "loud", "--config", config)
                    .out()
                    .contains("locked");
        });

        // as compaction and retention do sooner or later
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
            for (var partition : admin.describeTopics(List.of("sluice.gate-locks"))
                    .allTopicNames()
                    .get()
                    .get("sluice.gate-locks")
                    .partitions()) {
                all.put(
                        new TopicPartition("sluice.gate-locks", partition.partition()),
                        RecordsToDelete.beforeOffset(-1));
            }
            admin.deleteRecords(all).all().get();
        }

        assertThat(run("locks", "history", "noisy", "loud", "--config", config).out())
                .containsPattern("locked +noisy +loud +analyzer +block: .* requests in 10m, allowed 100");
    }

    @Test
    void deadLettersAreListedCountedAndShown() throws Exception {
        String config = config("sluice.", "caller");
        send("no json \u001b[31m \\ here");

        CommandResult listed = awaitLetter(config, "not valid JSON");
        String id = id(listed.out(), "not valid JSON");
        CommandResult shown = run("dead-letters", "show", id, "--config", config);
        CommandResult table = run("dead-letters", "list", "--config", config);

        assertThat(shown.out())
                .contains("no json \\x1b[31m \\\\ here", "dead-lettered  20", "from           sluice.requests-");
        assertThat(table.out()).containsPattern("ID +AGE +FROM").containsPattern("LETTERS +REASON");
        assertThat(run("dead-letters", "show", "9-9", "--config", config).err()).contains("no dead letter 9-9");
    }

    @Tag("full")
    @Test
    void aDeadLetterIsSentAgainOnceItCanBeReadAndNeverTwice() throws Exception {
        String config = config("sluice.", "caller");
        String mended = config("sluice.", "user");
        String line = "{\"time\":" + System.currentTimeMillis() + ",\"user\":\"acme\",\"agent\":\"" + "x".repeat(5_000)
                + "\"}";
        send(line);
        String id = id(awaitLetter(config, "caller").out(), "caller");

        CommandResult tooEarly = run("dead-letters", "retry", id, "--config", config);
        CommandResult tried = run("dead-letters", "retry", id, "--dry-run", "--config", mended);
        List<CompletableFuture<CommandResult>> atOnce = Stream.generate(
                        () -> CompletableFuture.supplyAsync(() -> run("dead-letters", "retry", id, "--config", mended)))
                .limit(3)
                .toList();
        List<CommandResult> all = atOnce.stream().map(CompletableFuture::join).toList();
        CommandResult later = run("dead-letters", "retry", id, "--config", mended);

        assertThat(tooEarly.out()).contains("still can't be read", "0 of 1 sent again");
        assertThat(tooEarly.code()).isEqualTo(1);
        assertThat(tried.out()).contains("would be sent", "0 of 1 sent again");
        assertThat(all).filteredOn(it -> it.out().contains("1 of 1 sent again")).hasSize(1);
        assertThat(later.out()).contains("tried again already", "0 of 1 sent again");
        assertThat(copies(config, line)).isEqualTo(2);
    }

    @Tag("full")
    @Test
    void whatStillCantBeReadIsSentAnywayWhenAsked() throws Exception {
        String config = config("sluice.", "caller");
        send("[\"an array\"]");
        String id = id(awaitLetter(config, "an object is expected").out(), "an object is expected");

        CommandResult sent = run("dead-letters", "retry", id, "--anyway", "--config", config);

        assertThat(sent.out()).contains("sent again as sluice.requests-", "still can't be read", "1 of 1 sent again");
        assertThat(copies(config, "[\"an array\"]")).isEqualTo(2);
    }

    @Test
    void aLineIsExplained() throws Exception {
        String config = config("sluice.", "caller");
        String line = "{\"time\":" + System.currentTimeMillis()
                + ",\"caller\":\"acme\",\"service\":\"orders\",\"status\":200}";

        CommandResult text = run("explain", line, "--config", config);
        CommandResult json = run("explain", line, "--json", "--config", config);

        assertThat(text.out())
                .containsPattern("caller +acme")
                .containsPattern(
                        "noisy +counts 1 request for acme, pane from .*; locked \\(block\\) when over 100 requests in 10m"
                                + "; meters hold back below 50 requests in 10m")
                .containsPattern("slow +no: status is 200, wanted 5xx")
                .containsPattern("plans +no: it only limits");
        assertThat(json.out())
                .contains(
                        "\"policy\":\"noisy\",\"counts\":true,\"subject\":[\"acme\"]",
                        "\"paneMillis\":",
                        "\"heldBackBelow\":50.0");
    }

    @Test
    void anAllowedLateOrBrokenLineIsExplainedToo() throws Exception {
        String config = config("sluice.", "caller");
        String policies = folder.resolve("policies.yml").toString();

        CommandResult allowed = run(
                "explain",
                "{\"time\":1,\"caller\":\"internal-7\",\"service\":\"orders\",\"status\":200}",
                "--policies",
                policies,
                "--config",
                config);
        CommandResult broken = run("explain", "{}", "--policies", policies, "--config", config);

        assertThat(allowed.out())
                .contains("not at all if it comes now", "allow-list", "locks no caller, because 'allow' matches");
        assertThat(broken.code()).isEqualTo(1);
        assertThat(broken.err()).contains("can't be read as json", "would become a dead letter");
    }

    @Test
    void aFleetThatIsWellHasNothingWrong() throws Exception {
        String config = config("sluice.", "caller");
        CommandResult[] last = new CommandResult[1];

        await().atMost(PATIENCE).untilAsserted(() -> {
            agent("orders-1", Freshness.FRESH);
            agent("orders-2", Freshness.FRESH);
            last[0] = run("doctor", "--config", config);
            assertThat(last[0].out())
                    .contains("Kafka: ", "topics: all there", "rights: all", "clock: ", "policies: 3 in force")
                    .contains("analyzer: each partition", "2 alive", "events behind");
        });
    }

    @Tag("full")
    @Test
    void aClusterWithoutTopicsAndAnalyzerIsFullOfFindings() throws Exception {
        String config = config("empty.", "caller");

        CommandResult without = run("doctor", "--json", "--config", config);
        run("topics", "create", "--config", config);
        CommandResult idle = run("doctor", "--config", config);

        assertThat(without.code()).isEqualTo(1);
        assertThat(without.out()).contains("\"about\":\"topics\",\"found\":\"empty.gate-locks", "\"remedy\":");
        assertThat(idle.out())
                .contains("topics: all there", "the access logs are not read", "none are in force", "no heartbeat for")
                .contains("none is alive", "can't be compared", "holds nothing", "checks failed");
    }

    @Test
    void topicsVerify_stateMadeForAnotherNumberOfPartitions_isWrong() throws Exception {
        String config = config("grown.", "caller");
        run("topics", "create", "--config", config);
        String state = "grown.sluice-analyzer-leases-changelog";
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(state, 7, (short) 1))).all().get();
            await().atMost(PATIENCE)
                    .until(() -> admin.listTopics().names().get().contains(state));
        }

        CommandResult verified = run("topics", "verify", "--config", config);

        assertThat(verified.code()).isEqualTo(1);
        assertThat(verified.out())
                .contains("wrong: grown.usage: has ", state + " was made for 7; stop the analyzers, delete ");
    }

    @Tag("full")
    @Test
    void anAnalyzerThatLagsBehindItsBacklogIsWrong() throws Exception {
        Path lagging = Files.writeString(
                folder.resolve("lagging.yml"),
                Files.readString(Path.of(config("lag.", "caller"))).replace("instance:", "backlog: 1s, instance:"));
        run("topics", "create", "--config", lagging.toString());
        write("lag.requests", null, "{}".getBytes(StandardCharsets.UTF_8));
        Map<String, Object> member =
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", "lag.sluice-analyzer");

        try (var consumer = new KafkaConsumer<>(member, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of("lag.requests"));
            await().atMost(PATIENCE).until(() -> {
                consumer.poll(Duration.ofMillis(100));
                return !consumer.assignment().isEmpty();
            });
            consumer.assignment()
                    .forEach(partition -> consumer.commitSync(Map.of(partition, new OffsetAndMetadata(0))));

            CommandResult found = run("doctor", "--config", lagging.toString());

            assertThat(found.out())
                    .containsPattern("FAIL +lag: 1 event behind; lag.requests-\\d is more than 1s behind")
                    .contains("1 of the last 1 line can't be read");
            assertThat(found.code()).isEqualTo(1);
        }
    }

    @Tag("full")
    @Test
    void aSourceThatNoAnalyzerReadsIsWrong() throws Exception {
        Path more = Files.writeString(
                folder.resolve("unread.yml"),
                Files.readString(Path.of(config("unread.", "caller")))
                        .replace("instance:", "backlog: 1s, instance:")
                        .replace("caller: caller }", "caller: caller }, { topic: unread.nginx, format: nginx-json }"));
        run("topics", "create", "--sources", "--config", more.toString());
        write("unread.nginx", null, "{}".getBytes(StandardCharsets.UTF_8));
        Map<String, Object> member =
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", "unread.sluice-analyzer");

        try (var consumer = new KafkaConsumer<>(member, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of("unread.requests"));
            await().atMost(PATIENCE).until(() -> {
                consumer.poll(Duration.ofMillis(100));
                return !consumer.assignment().isEmpty();
            });
            consumer.assignment()
                    .forEach(partition -> consumer.commitSync(Map.of(partition, new OffsetAndMetadata(0))));

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    run("doctor", "--config", more.toString()).out())
                            .contains("no analyzer has read unread.nginx"));
        }
    }

    @Tag("full")
    @Test
    void aClusterThatIsNotThereIsTheOnlyFinding() throws Exception {
        Path nowhere =
                Files.writeString(folder.resolve("nowhere.yml"), "kafka: { bootstrap.servers: \"127.0.0.1:1\" }\n");

        CommandResult result = run("doctor", "--config", nowhere.toString());

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.out()).contains("Kafka at 127.0.0.1:1 refused the connection", "1 check failed");
    }

    @Test
    void bashCompletesCommands() throws Exception {
        Path script = Files.writeString(
                folder.resolve("completion.bash"), run("completion").out());

        assertThat(completed(script, "sluice dead-")).contains("dead-letters");
        assertThat(completed(script, "sluice locks h")).contains("history");
        assertThat(completed(script, "sluice doctor --j")).contains("--json");
    }

    @Test
    void aMisspeltCommandIsAnsweredWithTheNearest() {
        assertThat(run("dokter").err()).contains("doctor");
        assertThat(run("agents", "lst").err()).contains("list");
        assertThat(run("doctor", "--jsn").err()).contains("--json");
    }

    private static String completed(Path script, String typed) throws Exception {
        List<String> words = List.of(typed.split(" ", -1));
        List<String> command = new ArrayList<>(List.of(
                "bash",
                "-c",
                "source \"$0\"; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _complete_sluice; echo \"${COMPREPLY[@]}\"",
                script.toString()));
        command.addAll(words);
        Process completing =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(completing.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Waits until a dead letter with such a reason is listed. */
    private static CommandResult awaitLetter(String config, String reason) {
        return await().atMost(PATIENCE)
                .until(
                        () -> run("dead-letters", "list", "--json", "--config", config),
                        result -> result.out().lines().anyMatch(it -> it.contains("\"id\"") && it.contains(reason)));
    }

    private static String id(String list, String reason) {
        String line = list.lines()
                .filter(it -> it.contains("\"id\"") && it.contains(reason))
                .findFirst()
                .orElseThrow();
        Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(line);
        assertThat(id.find()).isTrue();
        return id.group(1);
    }

    private static int copies(String config, String line) throws Exception {
        Connection connection = new Connection();
        connection.config = Path.of(config);
        AtomicInteger copies = new AtomicInteger();
        TopicEnd.read(connection, List.of("sluice.requests"), record -> {
            if (new String(record.value(), StandardCharsets.UTF_8).equals(line)) {
                copies.incrementAndGet();
            }
        });
        return copies.get();
    }

    private static void send(String line) throws Exception {
        write("sluice.requests", null, line.getBytes(StandardCharsets.UTF_8));
    }

    private static void agent(String name, Freshness freshness) throws Exception {
        agent(name, freshness, List.of(), List.of());
    }

    private static void agent(String name, Freshness freshness, List<String> unanswered, List<String> reasons)
            throws Exception {
        AgentHeartbeat beat = new AgentHeartbeat(
                name, "orders", freshness, 2, 1_000, 30, 4, 0, Map.of(), Map.of(), true, unanswered, reasons, 0);
        write("sluice.agents", AgentHeartbeatJson.key(name), AgentHeartbeatJson.write(beat));
    }

    private static void write(String topic, byte[] key, byte[] value) throws Exception {
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, key, value)).get();
        }
    }

    private static String config(String prefix, String caller) throws IOException {
        return Files.writeString(folder.resolve(prefix + caller + ".yml"), """
                kafka: { bootstrap.servers: "%s" }
                topics: { prefix: "%s", partitions: 2 }
                sources: [ { topic: %srequests, format: json, caller: %s } ]
                analyzer: { instance: operating-test, state-dir: "%s" }
                """.formatted(
                                kafka.bootstrapServers(), prefix, prefix, caller, folder.resolve("state")))
                .toString();
    }
}
