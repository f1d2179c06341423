package io.sluice.analyzer.cli;

import static io.sluice.analyzer.cli.CommandResult.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.kafka.embedded.EmbeddedKafka;
import io.sluice.settings.PolicyFile;
import io.sluice.settings.SluiceSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a real broker and a running analyzer. */
@Tag("server")
class CommandLineTest {
    private static final String POLICIES = """
            policies:
              - { name: noisy, per: [caller], window: 10s, lock: { when: [ { above: 100 } ], for: 1m } }
              - { name: plans, per: [caller, route], limit: { rate: 10/s } }
              - { name: trial, per: [ip], limit: { rate: 10/s, shadow: true } }
            """;

    @TempDir
    static Path folder;

    private static EmbeddedKafka kafka;
    private static Analyzer analyzer;

    @BeforeAll
    static void aBrokerAndAnAnalyzer() throws Exception {
        kafka = EmbeddedKafka.builder().start();
        Path config = config("sluice.");
        CommandResult created = run("topics", "create", "--config", config.toString());
        assertThat(created.code()).as(created.out() + created.err()).isZero();
        SluiceSettings settings = SluiceSettings.read(config, Map.of());
        analyzer = Analyzer.start(AnalyzerOptions.of(settings, settings.kafka().client(), null));
    }

    @AfterAll
    static void stop() {
        analyzer.close();
        kafka.close();
    }

    @Test
    void topicsAreCreatedOnce() throws Exception {
        String config = config("once.").toString();

        assertThat(run("topics", "create", "--config", config).out()).contains("created  once.gate-locks");
        assertThat(run("topics", "create", "--config", config).out())
                .contains("exists   once.gate-locks")
                .doesNotContain("created");
    }

    /** A cluster of an earlier version: what an operator does works all the same. */
    @Test
    void decisionsTopicIsMissing_commandsActAndNameTheRemedy() throws Exception {
        String config = config("upgraded.").toString();
        run("topics", "create", "--config", config);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteTopics(List.of("upgraded.decisions")).all().get();
        }
        await().until(
                        () -> run("topics", "verify", "--config", config).out(),
                        out -> out.contains("upgraded.decisions: is missing; ./sluice topics create"));

        CommandResult off = run("enforce", "off", "--reason", "drill", "--config", config);
        CommandResult history = run("locks", "history", "--config", config);

        assertThat(off.code()).as(off.err()).isZero();
        assertThat(off.out()).contains("enforcement is off everywhere");
        assertThat(off.err())
                .contains("not in the decision log: topic upgraded.decisions is missing; './sluice topics create'");
        assertThat(history.code()).isEqualTo(1);
        assertThat(history.err()).contains("upgraded.decisions is missing", "./sluice topics create");
    }

    @Test
    void aTopicWithAWrongSettingIsNamedWithItsRemedy() throws Exception {
        String config = config("wrong.").toString();
        run("topics", "create", "--config", config);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, "wrong.gate-locks"),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("cleanup.policy", "delete"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        }

        // the broker answers an alteration before it shows it
        CommandResult verified =
                await().until(() -> run("topics", "verify", "--config", config), result -> result.code() == 1);

        assertThat(verified.out()).containsPattern("wrong: wrong.gate-locks: .*cleanup.policy.*kafka-configs");
    }

    @Test
    void allProblemsOfAPolicyFileAreToldAndItIsNotApplied() throws Exception {
        Path file = Files.writeString(
                folder.resolve("bad.yml"),
                "policies:\n  - { name: Noisy, per: [calller], lock: { when: [ { above: many } ] } }\n  - { name: x, limit: { rate: 1/s, scope: cluster } }\n");

        CommandResult checked = run("policies", "check", file.toString());
        CommandResult applied = run(
                "policies",
                "apply",
                file.toString(),
                "--config",
                config("sluice.").toString());

        assertThat(checked.code()).isEqualTo(1);
        assertThat(checked.err())
                .contains("bad.yml:2", "policies[0].name", "policies[0].per", "policies[0].lock.when[0]")
                .contains("bad.yml:3", "allowed: agent, fleet");
        assertThat(applied.code()).isEqualTo(1);
    }

    @Test
    void anAppliedSetIsInForceAndListed() throws Exception {
        applyPolicies();

        CommandResult listed =
                run("policies", "list", "--config", config("sluice.").toString());

        assertThat(listed.out()).contains("noisy", "block for 1m", "plans", "10/1s, burst 10", "revision ");
    }

    @Test
    void policiesAreListedWithWhatTheFleetRejected() throws Exception {
        applyPolicies();
        String config = config("sluice.").toString();

        // an agent without a heartbeat for fifteen seconds is not alive
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
            beat("orders-1", Map.of("noisy", 3L), Map.of("trial", 40L));
            beat("orders-2", Map.of("noisy", 4L), Map.of("trial", 2L));
            assertListedWithWhatTheFleetRejected(config);
        });
    }

    private static void assertListedWithWhatTheFleetRejected(String config) throws Exception {
        CommandResult listed = run("policies", "list", "--config", config);
        CommandResult json = run("policies", "list", "--json", "--config", config);

        assertThat(listed.out())
                .containsPattern("POLICY .* REJECTS +REJECTED +WOULD REJECT")
                .containsPattern("noisy .* yes +7 +0\n")
                .containsPattern("plans .* yes +0 +0\n")
                .containsPattern("trial .* no, only reports +0 +42\n")
                .contains("reported by 2 agents alive\n");
        assertThat(json.out())
                .startsWith("{\"type\":\"policies\",\"format\":1,\"revision\":\"")
                .contains("\"fleet\":{\"agents\":2,\"rejectedByPolicy\":{\"noisy\":7},"
                        + "\"wouldRejectByPolicy\":{\"trial\":42},\"onlyReport\":[\"trial\"],\"switchedOff\":[]}}");
        assertThat(PolicySetJson.read(json.out().getBytes(StandardCharsets.UTF_8))
                        .policies())
                .hasSize(3);
    }

    @Test
    void whatAFileWouldChangeIsToldPolicyByPolicy() throws Exception {
        applyPolicies();
        String config = config("sluice.").toString();
        Path file = Files.writeString(folder.resolve("next.yml"), """
                enforce: false
                policies:
                  - { name: noisy, per: [caller], window: 1m, lock: { when: [ { above: 100 } ], for: 5m } }
                  - { name: plans, per: [caller, route], limit: { rate: 20/s } }
                  - { name: bytes, per: [caller], measure: bytes, lock: { when: [ { above: 1000 } ] } }
                """);

        CommandResult changes = run("policies", "diff", file.toString(), "--config", config);
        CommandResult json = run("policies", "diff", file.toString(), "--json", "--config", config);

        assertThat(changes.code()).isZero();
        assertThat(changes.out())
                .containsPattern("in force: revision [0-9a-f]{16}; .*next.yml: revision [0-9a-f]{16}\n")
                .contains("changed  for all policies\n           enforce: true -> false\n")
                .contains("""
                        changed  noisy: counts something else, its windows begin anew; locks in force last until their end
                                   window: 10s -> 1m
                                   panes: 50 -> 60
                                   lock.for: 1m -> 5m
                        """)
                .contains("changed  plans\n           limit.rate: 10/s -> 20/s\n           limit.burst: 10 -> 20\n")
                .contains("gone     trial\nnew      bytes\n");
        assertThat(json.out())
                .contains("{\"policy\":\"noisy\",\"what\":\"changed\",\"restarts\":true,\"locksLast\":true,\"fields\":["
                        + "{\"field\":\"window\",\"before\":\"10s\",\"after\":\"1m\"}");
    }

    @Test
    void theListedSetIsAFileThatChangesNothing() throws Exception {
        applyPolicies();
        String config = config("sluice.").toString();
        Path listed = Files.writeString(
                folder.resolve("in-force.json"),
                run("policies", "list", "--json", "--config", config).out());

        CommandResult changes = run("policies", "diff", listed.toString(), "--config", config);
        CommandResult applied = run("policies", "apply", listed.toString(), "--config", config);

        assertThat(changes.out()).contains("in-force.json is in force already: revision ");
        assertThat(applied.out()).contains("is in force");
        assertThat(PolicyFile.read(listed).policies()).hasSize(3);
    }

    @Test
    void anOperatorsLockIsListedUntilItIsReleased() throws Exception {
        applyPolicies();
        String config = config("sluice.").toString();

        CommandResult added =
                run("locks", "add", "noisy", "acme", "--for", "10h", "--reason", "incident", "--config", config);
        CommandResult locked = run("locks", "list", "--config", config);
        run("locks", "release", "noisy", "acme", "--reason", "talked to them", "--config", config);
        CommandResult released = run("locks", "list", "--json", "--config", config);

        assertThat(added.out()).contains("locked noisy acme for 10h");
        assertThat(locked.out()).containsPattern("noisy +acme +block +(10h|9h 59m) .* incident");
        assertThat(released.out()).contains("\"mode\":\"released\"", "\"why\":\"talked to them\"");
    }

    @Test
    void aLockOnAPolicyThatIsNotThereIsRefused() throws Exception {
        applyPolicies();
        String config = config("sluice.").toString();

        CommandResult misspelled = run("locks", "add", "noisi", "acme", "--reason", "x", "--config", config);
        CommandResult tooFew = run("locks", "add", "plans", "acme", "--reason", "x", "--config", config);

        assertThat(misspelled.err()).contains("did you mean noisy?");
        assertThat(tooFew.err()).contains("plans counts per [caller, route]: found 1 value, 2 are needed");
    }

    @Test
    void locks_ofTextThatIsNoAddress_areNotAddedButReleased() throws Exception {
        applyPolicies();
        String config = config("sluice.").toString();

        CommandResult added = run("locks", "add", "trial", "banana", "--reason", "x", "--config", config);
        CommandResult released = run("locks", "release", "trial", "banana", "--reason", "x", "--config", config);

        assertThat(added.code()).isEqualTo(1);
        assertThat(added.err()).contains("trial counts per [ip]: found banana for ip, allowed is an address");
        assertThat(released.code()).as(released.err()).isZero();
    }

    @Test
    void locksAdd_ipv6AddressAsTheCaller_namesItsNetwork() throws Exception {
        applyPolicies();
        String config = config("sluice.").toString();

        CommandResult address = run("locks", "add", "noisy", "2001:DB8:1:2::7", "--reason", "x", "--config", config);
        CommandResult network = run("locks", "add", "noisy", "2001:db8:1:2::/64", "--reason", "x", "--config", config);

        assertThat(address.err()).contains("did you mean 2001:db8:1:2::/64 instead of 2001:DB8:1:2::7?");
        assertThat(network.err()).isEmpty();
    }

    @Test
    void theKillSwitchIsShownAboveTheLocks() throws Exception {
        applyPolicies();
        String config = config("sluice.").toString();

        run("enforce", "off", "--reason", "not sure", "--for", "1h", "--config", config);
        CommandResult off = run("locks", "list", "--config", config);
        CommandResult policies = run("policies", "list", "--config", config);
        CommandResult json = run("policies", "list", "--json", "--config", config);
        CommandResult doctor = run("doctor", "--config", config);
        run("enforce", "on", "--reason", "sure", "--config", config);
        CommandResult on = run("locks", "list", "--config", config);

        assertThat(off.out()).contains("! enforcement is off everywhere").contains("not sure");
        assertThat(on.out()).doesNotContain("enforcement is off");
        assertThat(policies.out()).startsWith("! enforcement is off everywhere").contains("no, switched off");
        assertThat(json.out()).contains("\"switchedOff\":[{\"author\":");
        assertThat(doctor.out())
                .containsPattern("enforcement: enforcement is off everywhere, by .*: not sure; on again in");
    }

    @Test
    void aPropertiesFileOfAPatientClientHindersNoCommand() throws Exception {
        Path properties = Files.writeString(folder.resolve("patient.properties"), "request.timeout.ms=30000\n");
        String config = Files.writeString(
                        folder.resolve("patient.yml"),
                        Files.readString(config("sluice."))
                                .replace("kafka: {", "kafka: { properties-file: \"" + properties + "\","))
                .toString();

        CommandResult verified = run("topics", "verify", "--config", config);
        CommandResult off = run("enforce", "off", "--reason", "not sure", "--for", "1h", "--config", config);
        CommandResult on = run("enforce", "on", "--reason", "sure", "--config", config);

        assertThat(verified.code()).as(verified.out() + verified.err()).isZero();
        assertThat(off.code()).as(off.out() + off.err()).isZero();
        assertThat(on.code()).as(on.out() + on.err()).isZero();
    }

    @Test
    void locksAdd_forLongerThanAYear_isRefusedNamingTheMaximum() throws Exception {
        applyPolicies();
        String config = config("sluice.").toString();

        CommandResult tooLong =
                run("locks", "add", "noisy", "acme", "--for", "400d", "--reason", "x", "--config", config);
        CommandResult longest =
                run("locks", "add", "noisy", "year", "--for", "365d", "--reason", "x", "--config", config);
        CommandResult release =
                run("locks", "release", "noisy", "a", "--for", "366d", "--reason", "x", "--config", config);
        CommandResult off = run("enforce", "off", "--for", "366d", "--reason", "x", "--config", config);

        assertThat(tooLong.code()).isEqualTo(2);
        assertThat(tooLong.err())
                .contains("--for: found 400d, at most 365d is allowed")
                .endsWith("See './sluice locks add --help'" + System.lineSeparator());
        assertThat(longest.out()).contains("locked noisy year for 365d");
        assertThat(release.err()).contains("at most 365d");
        assertThat(off.err()).contains("at most 365d");
    }

    @Test
    void locksRelease_ofWhatIsNotLocked_saysSo() throws Exception {
        applyPolicies();
        String config = config("sluice.").toString();
        run("locks", "add", "noisy", "held", "--reason", "x", "--config", config);

        CommandResult held = run("locks", "release", "noisy", "held", "--reason", "x", "--config", config);
        CommandResult free = run("locks", "release", "noisy", "free", "--reason", "x", "--config", config);

        assertThat(held.out()).contains("released noisy held; no new lock for 10m");
        assertThat(free.code()).isZero();
        assertThat(free.out()).contains("noisy free was not locked; no new lock for 10m");
    }

    @Test
    void watchTellsOfALockInALine() throws Exception {
        applyPolicies();
        String config = config("sluice.").toString();
        run("locks", "add", "noisy", "watched", "--reason", "seen", "--config", config);

        try (WatchedCommand watched = WatchedCommand.start("locks", "watch", "--config", config)) {
            watched.shows("locked    noisy  watched  block");
        }
    }

    @Test
    void wrongUsageNamesWhatMayBeMeantAndExitsWithTwo() {
        CommandResult result = run("polices", "list");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("policies");
    }

    @Test
    void aClusterThatIsNotThereIsNamed() throws Exception {
        Path config =
                Files.writeString(folder.resolve("nowhere.yml"), "kafka: { bootstrap.servers: \"127.0.0.1:1\" }\n");

        CommandResult result = run("topics", "verify", "--config", config.toString());

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).contains("Kafka at 127.0.0.1:1");
    }

    @Test
    void printConfigShowsWhereAValueComesFrom() throws Exception {
        CommandResult result =
                run("analyzer", "--print-config", "--config", config("sluice.").toString());

        assertThat(result.out())
                .containsPattern("topics.partitions: 2    # .*sluice.yml:2")
                .contains("analyzer.threads: 1    # default");
    }

    private static void beat(String agent, Map<String, Long> rejected, Map<String, Long> wouldReject) throws Exception {
        AgentHeartbeat heartbeat =
                new AgentHeartbeat(agent, "orders", Freshness.FRESH, 0, 0, 0, 0, 0, rejected, wouldReject);
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            "sluice.agents", AgentHeartbeatJson.key(agent), AgentHeartbeatJson.write(heartbeat)))
                    .get();
        }
    }

    /** Again if the analyzer is slow: the command waits a few seconds for it. */
    private static void applyPolicies() throws IOException {
        String file =
                Files.writeString(folder.resolve("policies.yml"), POLICIES).toString();
        String config = config("sluice.").toString();
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
            CommandResult applied = run("policies", "apply", file, "--config", config);
            assertThat(applied.out()).as(applied.err()).contains("is in force");
        });
    }

    private static Path config(String prefix) throws IOException {
        return Files.writeString(folder.resolve(prefix + "sluice.yml"), """
                kafka: { bootstrap.servers: "%s" }
                topics: { prefix: "%s", partitions: 2 }
                analyzer: { instance: cli-test, state-dir: "%s" }
                """.formatted(
                        kafka.bootstrapServers(), prefix, folder.resolve("state")));
    }
}
