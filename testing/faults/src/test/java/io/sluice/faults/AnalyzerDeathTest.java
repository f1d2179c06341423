package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.cli.SluiceCommand;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.topic.TopicNames;
import io.sluice.faults.history.Entry;
import io.sluice.faults.history.History;
import io.sluice.faults.history.Invariants;
import io.sluice.faults.history.LockSpans;
import io.sluice.faults.history.TopicHistory;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.AnalyzerProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.report.Reliability;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The only analyzer is killed while it holds a lock, and stays dead for three leases. */
class AnalyzerDeathTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String NOISY = "noisy";
    private static final String POLICIES = """
            guard: { subjects: 100%, atLeast: 10 }
            policies:
              - name: busy
                match: { caller: [noisy, amber, birch] }
                per: [caller]
                window: 1s
                panes: 10
                lock: { when: [{ above: 20 }], mode: block, for: 5m }
              - name: plan
                match: { caller: metered }
                per: [caller]
                limit: { rate: 50/s, burst: 10 }
            """;

    /** The agents' own cap on a lease; the analyzer's least is 10 s, renewed after a third of it. */
    private static final long MAX_LEASE = Reliability.all() ? 10_000 : 4_000;

    @TempDir
    Path folder;

    @Test
    void noLockOutlivesItsLeaseLimitsStayExactAndTheOperatorIsHeard() throws Exception {
        Path policies = Files.writeString(folder.resolve("policies.yml"), POLICIES);
        try (FaultyBroker broker = FaultyBroker.start();
                JavaProcess analyzer = JavaProcess.start(
                        AnalyzerProcess.usual(folder, broker.bootstrap(), policies, "max-lease: 10s"))) {
            try (AgentProcess first = agent(broker, "agent-1");
                    AgentProcess second = agent(broker, "agent-2");
                    History history = History.in(folder, "faults")) {
                List<AgentProcess> agents = List.of(first, second);
                awaiting(() -> assertThat(first.freshness()).isEqualTo(Freshness.FRESH));
                awaiting(() -> assertThat(second.freshness()).isEqualTo(Freshness.FRESH));
                first.traffic(Map.of(NOISY, 60, "amber", 5));
                second.traffic(Map.of(NOISY, 60, "birch", 5));
                agents.forEach(
                        agent -> awaiting(() -> assertThat(agent.verdict(NOISY)).isEqualTo("LOCKED:busy")));

                analyzer.kill();
                history.add(Entry.Kind.FAULT, "analyzer", "killed");
                agents.forEach(agent -> agent.ask("limit metered 200 50 10"));
                pass(3 * MAX_LEASE);

                for (AgentProcess agent : agents) {
                    assertThat(agent.table(NOISY, "amber", "birch")).isEqualTo("{amber=pass, birch=pass, noisy=pass}");
                    awaiting(() -> assertThat(agent.status())
                            .contains("freshness=STALE")
                            .contains("sent no heartbeat for"));
                    assertThat(agent.ask("limited 100")).contains("wrong=0 ");
                }
                operator(agents);
                agents.forEach(AgentProcess::closeAgent);
                judge(broker, history);
            }
        }
    }

    private AgentProcess agent(FaultyBroker broker, String id) {
        AgentProcess agent = AgentProcess.start(AgentProcess.of(
                id,
                folder,
                Map.of(
                        "bootstrap",
                        broker.bootstrap(),
                        "prefix",
                        "f.",
                        "maxLease",
                        Long.toString(MAX_LEASE),
                        "staleAfter",
                        "3000")));
        agent.watch(NOISY);
        return agent;
    }

    private void operator(List<AgentProcess> agents) {
        sluice("locks", "add", "busy", "amber", "--reason", "test", "--for", "10m");
        agents.forEach(
                agent -> awaiting(() -> assertThat(agent.verdict("amber")).isEqualTo("LOCKED:busy")));
        sluice("locks", "release", "busy", "amber", "--reason", "test");
        agents.forEach(
                agent -> awaiting(() -> assertThat(agent.verdict("amber")).isEqualTo("pass")));
    }

    private void sluice(String... command) {
        String[] arguments = new String[command.length + 2];
        System.arraycopy(command, 0, arguments, 0, command.length);
        arguments[command.length] = "--config";
        arguments[command.length + 1] = folder.resolve("a.yml").toString();
        assertThat(SluiceCommand.commandLine().execute(arguments)).isZero();
    }

    private void judge(FaultyBroker broker, History history) {
        history.add(TopicHistory.of(broker.bootstrap(), new TopicNames("f.")));
        Invariants invariants = new Invariants(History.read(folder));

        assertThat(invariants.locks().spans()).extracting(LockSpans.Span::agent).contains("agent-1", "agent-2");
        assertThat(invariants.noLockOutlivesItsLease(MAX_LEASE, Reliability.leaseSlackMillis()))
                .isEmpty();
        assertThat(invariants.noFailures()).isEmpty();
        Map<String, Object> figures = new LinkedHashMap<>();
        invariants
                .locks()
                .spans()
                .forEach(span -> figures.put(
                        span.agent() + " opened",
                        span.until() - invariants.locks().leaseEnd(span.caller(), span.until(), MAX_LEASE)
                                + " ms after the lease's end"));
        Reliability.tell(
                3,
                "analyzer dead for three leases of " + MAX_LEASE / 1000 + " s",
                "no lock outlives its lease + 1 s on any agent; local limits stay exact; stale is shown; operator records are followed",
                getClass(),
                figures);
    }

    private static void pass(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        Awaitility.await().atMost(PATIENCE.plusMillis(millis)).until(() -> System.nanoTime() > end);
    }

    private static void awaiting(ThrowingRunnable condition) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(condition);
    }
}
