package io.sluice.analyzer.cli;

import static io.sluice.analyzer.cli.CommandResult.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.policy.PolicySetJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kill switch against a real broker; no analyzer is needed for it. */
@Tag("server")
class EnforceCommandTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    static Path folder;

    @Test
    void on_oneAgentStillOff_namesIt() throws Exception {
        String prefix = TestKafka.name("enforce") + ".";
        String config = topics(prefix);
        beat(prefix, "orders-1");
        run("enforce", "off", "--agent", "orders-1", "--reason", "drill", "--for", "1h", "--config", config);

        CommandResult on = run("enforce", "on", "--reason", "sure", "--config", config);
        CommandResult last = run("enforce", "on", "--agent", "orders-1", "--reason", "sure", "--config", config);
        CommandResult all = run("enforce", "on", "--reason", "sure", "--config", config);

        assertThat(on.code()).as(on.err()).isZero();
        assertThat(on.out())
                .startsWith("enforcement is on, except for one agent" + System.lineSeparator())
                .containsPattern("! enforcement is off for agent orders-1, by .*: drill; on again in (1h|59m)");
        assertThat(last.out()).isEqualTo("enforcement is on for agent orders-1" + System.lineSeparator());
        assertThat(all.out()).isEqualTo("enforcement is on everywhere" + System.lineSeparator());
    }

    @Test
    void onForOneAgent_offEverywhere_saysItStaysOff() throws Exception {
        String prefix = TestKafka.name("enforce") + ".";
        String config = topics(prefix);
        beat(prefix, "orders-1");
        run("enforce", "off", "--reason", "incident", "--config", config);

        CommandResult on = run("enforce", "on", "--agent", "orders-1", "--reason", "sure", "--config", config);

        assertThat(on.out())
                .startsWith("enforcement stays off for agent orders-1" + System.lineSeparator())
                .contains("! enforcement is off everywhere, by ")
                .doesNotContain("is on for");
    }

    @Test
    void emptyAgent_isRefused() throws Exception {
        String prefix = TestKafka.name("enforce") + ".";
        String config = topics(prefix);

        for (String agent : List.of("", "  ")) {
            CommandResult off = run("enforce", "off", "--agent", agent, "--reason", "x", "--config", config);
            assertThat(off.code()).isEqualTo(2);
            assertThat(off.err()).contains("--agent: found nothing, the ID of an agent is needed");
        }
    }

    @Test
    void emptyReasonOrBootstrap_isRefused() throws Exception {
        String config = topics(TestKafka.name("enforce") + ".");

        CommandResult reason = run("enforce", "off", "--reason", " ", "--config", config);
        CommandResult bootstrap = run("enforce", "off", "--reason", "x", "--bootstrap", "", "--config", config);

        assertThat(reason.code()).isEqualTo(2);
        assertThat(reason.err()).contains("--reason: found nothing, allowed are 1 to 1000 characters");
        assertThat(bootstrap.code()).isEqualTo(2);
        assertThat(bootstrap.err()).contains("--bootstrap: found nothing, allowed is HOST:PORT");
    }

    @Test
    void unknownAgent_isSwitchedWithAWarningThatNamesTheNearest() throws Exception {
        String prefix = TestKafka.name("enforce") + ".";
        String config = topics(prefix);
        beat(prefix, "orders-1");

        CommandResult off = run("enforce", "off", "--agent", "order-1", "--reason", "x", "--config", config);
        CommandResult known = run("enforce", "off", "--agent", "orders-1", "--reason", "x", "--config", config);
        CommandResult list = run("locks", "list", "--config", config);

        assertThat(off.code()).as(off.err()).isZero();
        assertThat(off.out()).isEqualTo("enforcement is off for agent order-1" + System.lineSeparator());
        assertThat(off.err()).contains("warning: no agent order-1 has sent a heartbeat; did you mean orders-1?");
        assertThat(known.err()).isEmpty();
        assertThat(list.out()).contains("off for agent order-1,", "off for agent orders-1,");
    }

    @Test
    void on_policiesOnlyReport_saysSo() throws Exception {
        String prefix = TestKafka.name("enforce") + ".";
        String config = topics(prefix);
        TestKafka.send(
                prefix + "policies",
                PolicySetJson.ACTIVE,
                PolicySetJson.writeActive(TestPolicies.yaml(
                        "enforce: false\npolicies:\n  - { name: p, per: [caller], limit: { rate: 1/s } }\n")));

        CommandResult on = run("enforce", "on", "--reason", "sure", "--config", config);

        assertThat(on.out())
                .contains(
                        "enforcement is on everywhere",
                        "! the policies only report (enforce: false): nothing is rejected");
    }

    @Test
    void on_topicsThatCannotBeRead_isInForceWithAWarning() throws Exception {
        String prefix = TestKafka.name("enforce") + ".";
        String config = topics(prefix);
        TestKafka.admin().deleteTopics(List.of(prefix + "policies")).all().get();
        // the broker answers before its metadata shows it
        await().atMost(PATIENCE)
                .until(() -> !TestKafka.admin().listTopics().names().get().contains(prefix + "policies"));

        CommandResult on = run("enforce", "on", "--reason", "sure", "--config", config);

        assertThat(on.code()).isZero();
        assertThat(on.out()).contains("enforcement is on everywhere");
        assertThat(on.err()).contains("warning: agents and policies could not be checked: ", prefix + "policies");
    }

    private static String topics(String prefix) throws IOException {
        String config = Files.writeString(
                        folder.resolve(prefix + "yml"), """
                kafka: { bootstrap.servers: "%s" }
                topics: { prefix: "%s", partitions: 1 }
                """.formatted(TestKafka.bootstrapServers(), prefix))
                .toString();
        CommandResult created = run("topics", "create", "--config", config);
        assertThat(created.code()).as(created.err()).isZero();
        return config;
    }

    private static void beat(String prefix, String agent) throws Exception {
        AgentHeartbeat heartbeat =
                new AgentHeartbeat(agent, "orders", Freshness.FRESH, 0, 0, 0, 0, 0, Map.of(), Map.of());
        TestKafka.send(prefix + "agents", agent, AgentHeartbeatJson.write(heartbeat));
    }
}
