package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.cli.SluiceCommand;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.topic.TopicNames;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.net.Records;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.AnalyzerProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.report.Reliability;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Invalid policies arrive by every way there is. */
class LastGoodPoliciesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int AT_ONCE = 2;
    private static final int LARGEST = 1_000_000;
    private static final TopicNames TOPICS = new TopicNames("f.");
    private static final String GOOD = """
            {"guard":{"subjects":"100%%","atLeast":10},"policies":[
            {"name":"busy","match":{"caller":"loud-*"},"per":["caller"],"window":"1s","panes":10,
             "lock":{"when":[{"above":%d}],"mode":"block","for":"5m"}}]}
            """;

    @TempDir
    Path folder;

    @Test
    void nobodyStartsWithABadFileAndAllItsProblemsAreTold() throws Exception {
        List<BadPolicies.Bad> files = sample(6);
        for (int from = 0; from < files.size(); from += AT_ONCE) {
            List<BadPolicies.Bad> some = files.subList(from, Math.min(files.size(), from + AT_ONCE));
            List<JavaProcess> processes = new ArrayList<>();
            for (BadPolicies.Bad bad : some) {
                // there is no broker: the file is read before one is needed
                String settings = AnalyzerProcess.settings(
                        "127.0.0.1:1", "f.", 1, file(bad), "analyzer: { state-dir: " + folder.resolve("state") + " }");
                processes.add(JavaProcess.start(AnalyzerProcess.of("first-" + bad.name(), folder, settings)));
            }
            for (int i = 0; i < some.size(); i++) {
                assertRefused(some.get(i), processes.get(i));
            }
        }

        for (BadPolicies.Bad bad : files.subList(0, Math.min(files.size(), Reliability.all() ? 10 : 2))) {
            try (JavaProcess agent = JavaProcess.start(AgentProcess.of(
                    "agent-" + bad.name(),
                    folder,
                    Map.of("bootstrap", "127.0.0.1:1", "policies", file(bad).toString())))) {
                assertThat(agent.exit(PATIENCE)).as(bad.name()).hasValue(1);
                assertTold(bad, agent);
            }
        }
    }

    private void assertRefused(BadPolicies.Bad bad, JavaProcess process) {
        try (process) {
            assertThat(process.exit(PATIENCE)).as(bad.name()).hasValue(1);
            assertTold(bad, process);
            assertThat(process.logged()).as(bad.name()).isNotBlank().doesNotContain("\tat ");
        }
    }

    private static void assertTold(BadPolicies.Bad bad, JavaProcess process) {
        // a line may name another line of its file
        String told = process.logged().replaceAll("\\S*" + Pattern.quote(bad.name()) + "\\.yml", "policies.yml");
        assertThat(bad.problems()).as("%s: %s", bad.name(), told).allMatch(told::contains);
    }

    @Test
    void whateverIsAskedForOrStandsOnTheTopicTheLastGoodPoliciesHold() throws Exception {
        Path good = Files.writeString(folder.resolve("good.json"), GOOD.formatted(20));
        List<BadPolicies.Bad> all = BadPolicies.all();
        try (FaultyBroker broker = FaultyBroker.start();
                JavaProcess analyzer = JavaProcess.start(AnalyzerProcess.usual(folder, broker.bootstrap(), good));
                AgentProcess agent = agent(broker, "agent-1");
                Records records = Records.to(broker.bootstrap())) {
            awaiting(
                    () -> assertThat(agent.status()).contains("freshness=FRESH").doesNotContain("policies=none"));
            String revision = revision(agent);

            for (BadPolicies.Bad bad : all) {
                assertThat(sluice("policies", "apply", file(bad).toString()))
                        .as(bad.name())
                        .isEqualTo(1);
            }
            for (BadPolicies.Bad bad : sample(2)) {
                assertRefused(
                        bad,
                        JavaProcess.start(AnalyzerProcess.command(
                                "apply-" + bad.name(),
                                folder,
                                "policies",
                                "apply",
                                file(bad).toString(),
                                "--config",
                                folder.resolve("a.yml").toString())));
            }
            int records1 = standing(records, all);

            stillHolds(agent, revision, "loud-1");
            // the lock tells nothing of the thread that reads policies
            awaiting(() -> assertThat(analyzer.logged()).contains("the policies before them stay"));
            analyzer.terminate();
            assertThat(analyzer.exit(PATIENCE)).isPresent();
            analyzer.restart();
            try (AgentProcess newcomer = agent(broker, "agent-2")) {
                stillHolds(newcomer, revision, "loud-2");
            }
            Path better = Files.writeString(folder.resolve("better.json"), GOOD.formatted(30));
            assertThat(sluice("policies", "apply", better.toString())).isZero();
            awaiting(() -> assertThat(revision(agent)).isNotEqualTo(revision));
            assertThat(agent.status()).doesNotContain("can't be read");
            stillHolds(agent, revision(agent), "loud-3");

            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("bad files", all.size());
            figures.put("refused by `policies apply`", all.size());
            figures.put("bad records", records1);
            figures.put("changes of what is in force", 0);
            Reliability.tell(
                    14,
                    "bad policy files and records",
                    "last good set kept, also over restarts; first start refused with all problems listed",
                    getClass(),
                    figures);
        }
    }

    /** Policy sets that no analyzer may adopt, under both keys; the newest record of each is invalid. */
    private static int standing(Records to, List<BadPolicies.Bad> all) {
        int sent = 0;
        for (String key : List.of(PolicySetJson.DESIRED, PolicySetJson.ACTIVE)) {
            for (BadPolicies.Bad bad : all) {
                for (byte[] value : List.of(bad.content(), enveloped(bad.content()))) {
                    // a broker does not take everything
                    if (value.length < LARGEST && refused(key, value)) {
                        to.send(TOPICS.policies(), 0, key.getBytes(StandardCharsets.UTF_8), value);
                        sent++;
                    }
                }
            }
        }
        to.flush();
        assertThat(sent).isGreaterThan(3 * all.size());
        return sent;
    }

    private static byte[] enveloped(byte[] content) {
        return new String(content, StandardCharsets.UTF_8)
                .replaceFirst("\\{", "{\"type\":\"policies\",\"format\":1,")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** An active set is read with more patience: a newer analyzer may have written what is no concern of ours. */
    private static boolean refused(String key, byte[] value) {
        try {
            if (key.equals(PolicySetJson.ACTIVE)) {
                PolicySetJson.read(value);
            }
            return !key.equals(PolicySetJson.ACTIVE);
        } catch (MalformedRecord | InvalidPolicies e) {
            return true;
        }
    }

    private void stillHolds(AgentProcess agent, String revision, String caller) {
        awaiting(() -> assertThat(revision(agent)).isEqualTo(revision));
        agent.traffic(Map.of(caller, 60, "amber", 5));
        awaiting(() -> assertThat(agent.verdict(caller)).isEqualTo("LOCKED:busy"));
        assertThat(agent.verdict("amber")).isEqualTo("pass");
        assertThat(revision(agent)).isEqualTo(revision);
        agent.traffic(Map.of());
    }

    private static String revision(AgentProcess agent) {
        String status = agent.status();
        int from = status.indexOf(" policies=") + " policies=".length();
        return status.substring(from, status.indexOf(' ', from));
    }

    private AgentProcess agent(FaultyBroker broker, String id) {
        return AgentProcess.start(AgentProcess.of(id, folder, Map.of("bootstrap", broker.bootstrap(), "prefix", "f.")));
    }

    private int sluice(String... command) {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--config", folder.resolve("a.yml").toString()));
        return SluiceCommand.commandLine()
                .setErr(new PrintWriter(Writer.nullWriter()))
                .execute(arguments.toArray(String[]::new));
    }

    private Path file(BadPolicies.Bad bad) throws IOException {
        return Files.write(folder.resolve(bad.name() + ".yml"), bad.content());
    }

    /** Those with most to tell first; in the profile all of them. */
    private static List<BadPolicies.Bad> sample(int many) throws IOException {
        List<BadPolicies.Bad> all = new ArrayList<>(BadPolicies.all());
        all.sort((a, b) -> Integer.compare(b.problems().size(), a.problems().size()));
        if (Reliability.all()) {
            return all;
        }
        List<BadPolicies.Bad> some = new ArrayList<>(all.subList(0, many / 2));
        some.addAll(all.subList(all.size() - (many - many / 2), all.size()));
        return some;
    }

    private static void awaiting(ThrowingRunnable condition) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(condition);
    }
}
