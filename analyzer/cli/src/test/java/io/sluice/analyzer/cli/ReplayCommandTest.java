package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.replay.LogFile;
import io.sluice.analyzer.replay.TopicLogs;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.Node;
import io.sluice.contract.pseudonym.Pseudonyms;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ReplayCommandTest {
    private static final String LOG = "../replay/src/test/resources/logs/broken-in-two.log";

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String policies = "";

    @BeforeEach
    void writePolicies() throws Exception {
        Path file = folder.resolve("policies.yml");
        Files.writeString(file, policy("above: 30"));
        policies = file.toString();
    }

    private int run(String... arguments) {
        return run((wanted, warnings) -> List.of(), arguments);
    }

    private int run(TopicLogs topics, String... arguments) {
        return new CommandLine(new ReplayCommand(topics))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void aReplayTellsWhenWhoWhyAndHowLong() {
        assertThat(run("--policies", policies, LOG)).isZero();

        assertThat(out.toString())
                .contains("broken-in-two.log: 645 lines, combined (detected)")
                .contains("493 events of 26 callers, 2026-03-02T10:00:00Z to ")
                .contains("152  begins with a quote")
                .contains("(line 3, 5, 8)")
                .contains("2 locks")
                .contains("2026-03-02T10:04:16Z  noisy 203.0.113.77: block, 31 requests in 1m, allowed 30, for ")
                .contains("lines/s");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void scenariosArePlayedOneAfterTheOther() throws Exception {
        String scenarios = "../../examples/scenarios/";

        assertThat(run("--scenario", scenarios + "retry-storm", "--scenario", scenarios + "late-upload"))
                .isZero();
        assertThat(out.toString()).contains("retry-storm: passed").contains("late-upload: passed");

        Path broken = Files.createDirectory(folder.resolve("broken"));
        for (String file : List.of("policy.yml", "events.jsonl")) {
            Files.copy(Path.of(scenarios, "retry-storm", file), broken.resolve(file));
        }
        Files.writeString(broken.resolve("expected-locks.jsonl"), "");
        assertThat(run("--scenario", broken.toString())).isOne();
        assertThat(out.toString()).contains("broken: FAILED").contains("unexpected");
    }

    @Test
    void withoutPoliciesItSuggestsThem() {
        assertThat(run(LOG)).isZero();

        assertThat(out.toString()).contains("Suggested limits").contains("name: busy-caller");
    }

    @Test
    void theReportIsForPrograms() throws Exception {
        Path report = folder.resolve("report.json");

        assertThat(run("--policies", policies, "--report", report.toString(), LOG))
                .isZero();

        Node.Mapping json = (Node.Mapping) JsonNodes.read(Files.readAllBytes(report), "report");
        assertThat(number(json, "events")).isEqualTo("493");
        assertThat(number(json, "deadLetters")).isEqualTo("152");
        assertThat(number(json, "outOfOrder")).isEqualTo("0");
        assertThat(number(json, "from")).isEqualTo("1772445600000");
        Node.Mapping lock =
                (Node.Mapping) ((Node.Listing) json.value("locks")).items().get(0);
        assertThat(lock.entries())
                .extracting(Node.Entry::key)
                .containsAll(List.of(
                        "policy", "subject", "at", "until", "mode", "detector", "observed", "threshold", "guarded"));
        assertThat(number(lock, "at")).isEqualTo("1772445856000");
        Node.Mapping top =
                (Node.Mapping) ((Node.Listing) json.value("topCallers")).items().get(0);
        assertThat(top.entries()).extracting(Node.Entry::key).contains("caller", "count", "share");
        assertThat(json.value("policies")).isNotNull();
        assertThat(json.value("to")).isNotNull();
    }

    /** Agents with a key write pseudonyms into a topic; an operator's file has whatever its service logs. */
    @Test
    void policiesWithNames_forATopicOfPseudonyms_lockAndAreCompared_forAFileTheyStay() throws Exception {
        Path keys = Files.writeString(folder.resolve("keys"), "k1: " + "A".repeat(43) + "=\n");
        String config = Files.writeString(folder.resolve("sluice.yml"), "agent: { pseudonym-key-file: " + keys + " }\n")
                .toString();
        String acme = Pseudonyms.read(keys).current().caller("acme");
        Path records = Files.writeString(
                folder.resolve("records.log"),
                "{\"time\":1772445600000,\"caller\":\"%s\"}\n".formatted(acme).repeat(9));
        Files.writeString(
                Path.of(policies),
                "policies: [{ name: noisy, per: [caller], match: { caller: acme }, window: 1m,"
                        + " lock: { when: [{ above: 5 }] } }]");
        TopicLogs topics = (wanted, warnings) -> List.of(LogFile.of(records.toString(), System.in));

        int ofTopic = run(
                topics,
                "--topic",
                "t",
                "--config",
                config,
                "--policies",
                policies,
                "--against",
                policies,
                "--fail-on=changes");

        assertThat(ofTopic).as(err.toString()).isZero();
        assertThat(out.toString()).contains("1 lock", "noisy " + acme);

        out.getBuffer().setLength(0);
        assertThat(run("--policies", policies, records.toString())).isZero();
        assertThat(out.toString()).contains("No locks");
    }

    @Test
    void policiesThatNeedNames_forATopicOfPseudonyms_areRefused() throws Exception {
        Path keys = Files.writeString(folder.resolve("keys"), "k1: " + "A".repeat(43) + "=\n");
        String config = Files.writeString(folder.resolve("sluice.yml"), "agent: { pseudonym-key-file: " + keys + " }\n")
                .toString();
        Files.writeString(Path.of(policies), policy("above: 5").replace("window", "match: { caller: a* }, window"));

        assertThat(run("--topic", "t", "--config", config, "--policies", policies))
                .isOne();

        assertThat(err.toString()).startsWith("replay: " + policies + ": ").contains("found 'a*', with pseudonyms");
    }

    /** As on a disk that is full. */
    @EnabledOnOs(OS.LINUX)
    @Test
    void reportThatCannotBeWritten_isNamedBehindTheResult() {
        assertThat(run("--policies", policies, "--report", "/dev/full", LOG)).isOne();

        assertThat(out.toString()).contains("2 locks");
        assertThat(err.toString()).startsWith("replay: --report: /dev/full cannot be written: ");
    }

    private static String number(Node.Mapping of, String field) {
        return ((Node.Scalar) of.value(field)).text();
    }

    @Test
    void jsonOnStandardOutputIsNothingElse() throws Exception {
        assertThat(run("--json", LOG)).isZero();

        assertThat(JsonNodes.read(out.toString().strip().getBytes(StandardCharsets.UTF_8), "out"))
                .isInstanceOf(Node.Mapping.class);
    }

    @Test
    void logOfAnotherFormatFails() {
        assertThat(run("--policies", policies, "--fail-on", "locks", "--format", "json", LOG))
                .isEqualTo(1);

        assertThat(out.toString()).contains("No events");
        assertThat(err.toString())
                .contains("replay: no line of " + LOG + " could be read; --format names another format");
    }

    @Test
    void failOnLocksFailsOnlyWithLocks() throws Exception {
        assertThat(run("--policies", policies, "--fail-on", "locks", LOG)).isEqualTo(1);

        Files.writeString(Path.of(policies), policy("above: 100"));

        assertThat(run("--policies", policies, "--fail-on", "locks", LOG)).isZero();
        assertThat(out.toString()).contains("No locks");
    }

    @Test
    void aLogOfEcsIsRecognizedAndReadLikeAnyOther() throws Exception {
        Path log = folder.resolve("ecs.json");
        Files.writeString(
                log, "{\"@timestamp\":\"2026-03-02T10:00:00Z\",\"client\":{\"ip\":\"192.0.2.1\"}}\n".repeat(9));

        assertThat(run("--json", log.toString())).isZero();
        assertThat(out.toString()).contains("\"events\":9").contains("192.0.2.1");

        out.getBuffer().setLength(0);
        assertThat(run("--json", "--format=ecs", log.toString())).isZero();
        assertThat(out.toString()).contains("\"events\":9");
    }

    @Test
    void aLogOfEnvoyIsRecognized() throws Exception {
        Path log = folder.resolve("envoy.json");
        Files.writeString(
                log,
                "{\"start_time\":\"2026-03-02T10:00:00Z\",\"downstream_remote_address\":\"192.0.2.1:80\"}\n".repeat(9));

        assertThat(run(log.toString())).isZero();
        assertThat(out.toString()).contains("envoy-json").contains("192.0.2.1");
    }

    @Test
    void aScenarioBringsItsOwnEvents() {
        for (String other :
                List.of(LOG, "--json", "--exact", "--report=r.json", "--format=combined", "--caller=x", "--since=1h")) {
            assertThat(run("--scenario=dir", other)).as(other).isEqualTo(2);
        }

        assertThat(err.toString()).contains("--scenario brings its own policies and events");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--format=iis", "--fail-on=rain", "--fail-on=locks", "--caller", "--nonsense"})
    void wrongUsageIsToldWithStatusTwo(String option) {
        assertThat(run(LOG, option)).isEqualTo(2);

        assertThat(err.toString()).isNotBlank();
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void withoutALogThereIsNothingToDo() {
        assertThat(run()).isEqualTo(2);

        assertThat(err.toString()).contains("no log given");
    }

    @Test
    void aLogThatIsNotThereIsToldByName() {
        assertThat(run("nowhere.log")).isEqualTo(1);

        assertThat(err.toString()).contains("nowhere.log");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/null", "empty.log"})
    void emptyLog_isRefusedByThePathThatWasGiven(String log) throws Exception {
        String path = Files.write(folder.resolve("empty.log"), new byte[0])
                .resolveSibling(log)
                .toString();

        assertThat(run(path)).isEqualTo(1);

        assertThat(err.toString()).isEqualTo("replay: " + path + ": empty" + System.lineSeparator());
    }

    @Test
    void policiesThatCannotBeUsedAreToldWithTheirPlaces() throws Exception {
        Files.writeString(Path.of(policies), "policies: [{ name: p, per: [caller], lock: { mode: blok } }]");

        assertThat(run("--policies", policies, LOG)).isEqualTo(1);

        assertThat(err.toString()).contains("policies.yml:1").contains("blok");
    }

    @Test
    void aFormatThatReadsNothingIsToldWithEachFormatsReason() throws Exception {
        Path log = folder.resolve("other.log");
        Files.writeString(log, "a\nb\n");

        assertThat(run(log.toString())).isEqualTo(1);

        assertThat(err.toString()).contains("other.log").contains("combined:").contains("nginx-json:");
    }

    @Test
    void aCutOffCompressedLogFailsByName() throws Exception {
        Path whole = folder.resolve("whole.gz");
        try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(whole))) {
            Files.copy(Path.of(LOG), gzip);
        }
        byte[] bytes = Files.readAllBytes(whole);
        Path cut = folder.resolve("cut.gz");
        Files.write(cut, Arrays.copyOf(bytes, bytes.length - 100));
        Path stump = folder.resolve("stump.gz");
        Files.write(stump, Arrays.copyOf(bytes, 60));

        assertThat(run(whole.toString())).isZero();
        assertThat(run("--format", "combined", cut.toString())).isEqualTo(1);
        assertThat(run(stump.toString())).isEqualTo(1);

        assertThat(err.toString())
                .contains("cut.gz: compressed, and damaged or cut off")
                .contains("stump.gz: compressed, and damaged or cut off");
    }

    @Test
    void aCallersNameNeverReachesTheTerminalRaw() throws Exception {
        Path log = folder.resolve("evil.log");
        Files.writeString(log, "{\"time\":1,\"caller\":\"\\u001b[2Jevil\"}\n");

        assertThat(run(log.toString())).isZero();

        assertThat(out.toString()).contains("?[2Jevil").doesNotContain("\u001b");
    }

    /** A policy that counts requests of each caller in a minute. */
    static String policy(String when) {
        return "policies: [{ name: noisy, per: [caller], window: 1m, lock: { when: [{ " + when + " }] } }]";
    }
}
