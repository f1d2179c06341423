package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.replay.TopicLogs;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.Node;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.settings.PolicyFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Two policy sets on one log, and the exact method's word on it, as a user sees them. */
class TryingOutTest {
    private static final String LOG = "../replay/src/test/resources/logs/broken-in-two.log";

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String now = "";

    @BeforeEach
    void writePolicies() throws Exception {
        now = policies("now.yml", ReplayCommandTest.policy("above: 30"));
    }

    private String policies(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private int run(String... arguments) {
        return new CommandLine(new ReplayCommand((wanted, warnings) -> List.of()))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    private Node.Mapping report(String... arguments) throws Exception {
        Path report = folder.resolve("report.json");
        String[] all = Stream.concat(Stream.of("--report", report.toString()), Stream.of(arguments))
                .toArray(String[]::new);
        assertThat(run(all)).isZero();
        return (Node.Mapping) JsonNodes.read(Files.readAllBytes(report), "report");
    }

    private static List<Node> list(Node.Mapping of, String field) {
        return ((Node.Listing) of.value(field)).items();
    }

    private static String text(Node of, String field) {
        return ((Node.Scalar) ((Node.Mapping) of).value(field)).text();
    }

    @Test
    void aHigherThresholdLocksLaterAndLosesOne() throws Exception {
        String old = policies("old.yml", ReplayCommandTest.policy("above: 20"));

        Node.Mapping report = report("--policies", now, "--against", old, LOG);

        assertThat(list(report, "changes")).isNotEmpty();
        Node first = list(report, "changes").get(0);
        assertThat(text(first, "policy")).isEqualTo("noisy");
        assertThat(list((Node.Mapping) first, "kinds").toString()).contains("startsLater");
        Node before = ((Node.Mapping) first).value("old");
        Node after = ((Node.Mapping) first).value("new");
        assertThat(Long.parseLong(text(before, "at"))).isLessThan(Long.parseLong(text(after, "at")));
        assertThat(Long.parseLong(text(before, "rejected"))).isGreaterThan(Long.parseLong(text(after, "rejected")));
        assertThat(text(after, "detectMillis")).isNotBlank();
        assertThat(out.toString())
                .contains("Against the old policies: ")
                .contains("detected after")
                .containsPattern("\\d+s later.* noisy +203.0.113.77 ")
                .contains("--exact measures it");
    }

    @Test
    void aLockThatComesHasNoOldSideAndOneThatGoesNoNewOne() throws Exception {
        String nobody = policies("old.yml", ReplayCommandTest.policy("above: 1000"));

        List<Node> come = list(report("--policies", now, "--against", nobody, LOG), "changes");
        List<Node> go = list(report("--policies", nobody, "--against", now, LOG), "changes");

        assertThat(come).hasSize(2).allSatisfy(change -> {
            assertThat(((Node.Mapping) change).value("old")).isNull();
            assertThat(((Node.Mapping) change).value("new")).isNotNull();
        });
        assertThat(go).hasSize(2).allSatisfy(change -> {
            assertThat(((Node.Mapping) change).value("old")).isNotNull();
            assertThat(((Node.Mapping) change).value("new")).isNull();
        });
        assertThat(out.toString())
                .contains("2 new; 0 the same; 0 -> ")
                .containsPattern("2 gone; 0 the same; \\d+ -> 0 requests rejected");
    }

    @Test
    void theSetInForceCanBeComparedWithAsItIsListed() throws Exception {
        Path listed = folder.resolve("in-force.json");
        Files.write(listed, PolicySetJson.writeActive(PolicyFile.read(Path.of(now))));

        assertThat(run("--policies", now, "--against", listed.toString(), "--fail-on", "changes", LOG))
                .isZero();
        assertThat(out.toString()).contains("no lock changes; 2 the same");
    }

    @ParameterizedTest
    @CsvSource({"above: 30, 0", "above: 31, 1"})
    void failOnChangesFailsOnlyWithChanges(String when, int status) throws Exception {
        String old = policies("old.yml", ReplayCommandTest.policy(when));

        assertThat(run("--policies", now, "--against", old, "--fail-on", "changes", LOG))
                .isEqualTo(status);
    }

    @Test
    void failOnLocksLooksAtTheNewPoliciesAlone() throws Exception {
        String nobody = policies("old.yml", ReplayCommandTest.policy("above: 1000"));

        assertThat(run("--policies", now, "--against", nobody, "--fail-on", "locks", LOG))
                .isEqualTo(1);
        assertThat(run("--policies", nobody, "--against", now, "--fail-on", "locks", LOG))
                .isZero();
    }

    @Test
    void withoutAnotherSetThereAreNoChangesInTheReport() throws Exception {
        Node.Mapping report = report("--policies", now, LOG);

        assertThat(report.value("changes")).isNull();
        assertThat(report.value("missed")).isNull();
        assertThat(((Node.Mapping) list(report, "locks").get(0)).value("exact")).isNull();
    }

    @Test
    void theExactMethodSaysThatEachLockHolds() throws Exception {
        Node.Mapping report = report("--policies", now, "--exact", LOG);

        assertThat(list(report, "locks")).hasSize(2).allSatisfy(lock -> {
            Node exact = ((Node.Mapping) lock).value("exact");
            assertThat(text(exact, "holds")).isEqualTo("true");
            assertThat(text(exact, "sum")).isEqualTo(text(lock, "observed"));
            assertThat(Long.parseLong(text(exact, "overFrom"))).isLessThanOrEqualTo(Long.parseLong(text(lock, "at")));
            assertThat(Long.parseLong(text(lock, "within")))
                    .isLessThanOrEqualTo(Long.parseLong(text(lock, "rejected")));
        });
        assertThat(list(report, "missed")).isEmpty();
        assertThat(out.toString())
                .contains("      exact: holds, sum 31, over since 2026-03-02T10:04:16Z")
                .contains("Exact method: 2 of 2 locks hold, 0 subjects were over and never locked");
    }

    @Test
    void whoWasOverForAnInstantIsNamed() throws Exception {
        Path log = folder.resolve("instant.log");
        StringBuilder lines = new StringBuilder();
        for (long at : new long[] {100, 3000, 4000, 10_050}) {
            lines.append("{\"time\":").append(1_000_000_000_000L + at).append(",\"caller\":\"acme\"}\n");
        }
        Files.writeString(log, lines);
        String policies = policies(
                "p.yml", "policies: [{ name: noisy, per: [caller], window: 10s, lock: { when: [{ above: 3 }] } }]");

        List<Node> missed = list(report("--policies", policies, "--exact", log.toString()), "missed");

        assertThat(missed).hasSize(1);
        assertThat(text(missed.get(0), "observed")).isEqualTo("4.0");
        assertThat(out.toString()).contains("noisy acme: above 4, allowed 3, over for 0s");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--against p.yml a.log | --against needs --policies",
                "--exact a.log | --exact needs --policies",
                "--policies p.yml --fail-on changes a.log | --fail-on changes needs --against",
                "--since 24h a.log | --since needs --topic",
                "--config sluice.yml a.log | --config needs --topic",
                "--topic t a.log | give one of both",
                "--topic t --since yesterday | --since: found 'yesterday', allowed: a duration",
                "--topic t --since 0h | --since: found '0h'",
                "--topic t --since 99999999999d | --since: found '99999999999d', allowed: a duration of at most 366d",
                "--caller= a.log | --caller: found an empty name, allowed: a field such as '$remote_user' in single quotes",
                "--caller a,,b a.log | --caller: found an empty name",
                "--format json | no log given"
            })
    void whatDoesNotGoTogetherIsToldWithStatusTwo(String arguments, String message) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);

        assertThat(err.toString()).contains(message);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void whatATopicIsAskedForReachesWhoReadsIt() {
        List<TopicLogs.Wanted> asked = new ArrayList<>();
        CommandLine command = new CommandLine(new ReplayCommand((wanted, warnings) -> {
            asked.add(wanted);
            throw new IOException("no topic t on this cluster");
        }));

        int status = command.setErr(new PrintWriter(err)).execute("--topic", "t", "--since", "90m", "--caller", "a,b");

        assertThat(status).isEqualTo(1);
        assertThat(err.toString()).contains("replay: no topic t on this cluster");
        assertThat(asked).containsExactly(new TopicLogs.Wanted(null, null, "t", 5_400_000, null, List.of("a", "b")));
    }
}
