package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.topic.TopicNames;
import io.sluice.faults.history.Entry;
import io.sluice.faults.history.History;
import io.sluice.faults.history.Invariants;
import io.sluice.faults.history.LockSpans;
import io.sluice.faults.history.TopicHistory;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.net.TcpProxy;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.AnalyzerProcess;
import io.sluice.faults.process.FakeTime;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.process.Needs;
import io.sluice.faults.report.Reliability;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clock of the analyzer's machine, or of an agent's, is set while a lock holds; then that agent's connection breaks. */
class SteppedClocksTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final long MAX_LEASE = 10_000;
    private static final String DOOR = "DOOR";
    private static final long UNMOVED = Reliability.leaseSlackMillis();
    // a lock's demand: over the threshold it opens, between release and renewal it runs to its end
    private static final int OVER = 100;
    private static final int BETWEEN = 14;
    private static final String POLICIES = """
            guard: { subjects: 100%, atLeast: 10 }
            policies:
              - name: busy
                per: [caller]
                window: 1s
                panes: 10
                lock: { when: [{ above: 20 }], mode: block, for: 9s, release: 5% }
            """;

    @TempDir
    Path folder;

    private record Step(Duration analyzer, Duration agent) {}

    /** Each clock forward and back, alone or both at once; the last ones jump by two hours. */
    private static List<Step> steps() {
        return Reliability.all()
                ? List.of(
                        new Step(HOUR, Duration.ZERO),
                        new Step(Duration.ZERO, HOUR),
                        new Step(HOUR.negated(), Duration.ZERO),
                        new Step(Duration.ZERO, HOUR.negated()),
                        new Step(HOUR, HOUR.negated()),
                        new Step(HOUR.negated(), HOUR))
                : List.of(new Step(HOUR, HOUR.negated()));
    }

    @Test
    void noLeaseMovesAndDetectionGoesOn() throws Exception {
        FakeTime analyzersTime = clock("analyzers");
        FakeTime agentsTime = clock("agents");
        Path policies = Files.writeString(folder.resolve("policies.yml"), POLICIES);
        try (FaultyBroker broker = FaultyBroker.start(Map.of(DOOR, "127.0.0.1"));
                JavaProcess analyzer =
                        JavaProcess.start(AnalyzerProcess.usual(folder, broker.bootstrap(), policies, "max-lease: 10s")
                                .with(analyzersTime.environment()));
                AgentProcess stepped = AgentProcess.start(
                        agent(broker.bootstrap(DOOR), "stepped").with(agentsTime.environment()));
                AgentProcess steady = AgentProcess.start(agent(broker.bootstrap(), "steady"));
                History history = History.in(folder, "faults")) {
            List<AgentProcess> agents = List.of(stepped, steady);
            agents.forEach(agent -> awaiting(
                    () -> assertThat(agent.status()).contains("freshness=FRESH").doesNotContain("policies=none")));
            List<String> callers = new ArrayList<>();
            for (Step step : steps()) {
                String caller = "noisy-" + callers.size();
                callers.add(caller);
                lock(caller, steady, agents);
                // from here on nothing renews it and nothing ends it early
                steady.traffic(Map.of(caller, BETWEEN, "quiet", 5));
                analyzersTime.step(step.analyzer());
                agentsTime.step(step.agent());
                history.add(Entry.Kind.FAULT, "clocks", step.toString());
                agents.forEach(agent ->
                        awaiting(() -> assertThat(agent.verdict(caller)).isEqualTo("pass")));
            }
            steady.traffic(Map.of("quiet", 5));
            broker.door(DOOR).mode(TcpProxy.Mode.RESET);
            Surroundings.pass(500);
            broker.door(DOOR).mode(TcpProxy.Mode.PASS);
            long passable = System.nanoTime();
            callers.add("noisy-after");
            // callers here are logged by an agent with a clock that is an hour wrong, and which had to connect anew
            lock("noisy-after", stepped, agents);
            long heard = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - passable);
            stepped.traffic(Map.of());
            steady.traffic(Map.of());
            agents.forEach(AgentProcess::closeAgent);
            assertThat(analyzer.alive()).as(analyzer::toString).isTrue();
            history.add(TopicHistory.of(broker.bootstrap(), new TopicNames("f.")));
            judge(callers, heard);
        }
    }

    private FakeTime clock(String whose) throws Exception {
        return Needs.present(FakeTime.in(Files.createDirectories(folder.resolve(whose))), "libfaketime");
    }

    private JavaProcess.Spec agent(String bootstrap, String id) {
        return AgentProcess.of(
                id, folder, Map.of("bootstrap", bootstrap, "prefix", "f.", "maxLease", Long.toString(MAX_LEASE)));
    }

    private static void lock(String caller, AgentProcess by, List<AgentProcess> agents) {
        agents.forEach(agent -> agent.watch(caller));
        by.traffic(Map.of(caller, OVER, "quiet", 5));
        agents.forEach(agent -> awaiting(() -> assertThat(agent.verdict(caller)).isEqualTo("LOCKED:busy")));
    }

    private void judge(List<String> callers, long heard) throws Exception {
        Invariants invariants = new Invariants(History.read(folder));
        LockSpans locks = invariants.locks();
        Set<String> locked = new TreeSet<>();
        locks.decisions().forEach(decision -> locked.addAll(decision.lock().subject()));
        long most = 0;
        int ended = 0;
        for (LockSpans.Span span : locks.spans()) {
            if (span.until() < Long.MAX_VALUE && !span.caller().equals("noisy-after")) {
                long end = locks.leaseEnd(span.caller(), span.until(), MAX_LEASE);
                most = Math.max(most, Math.abs(span.until() - end));
                ended++;
            }
        }

        assertThat(locked).containsExactlyInAnyOrderElementsOf(callers);
        assertThat(ended).as("%s", locks.spans()).isGreaterThanOrEqualTo(2 * steps().size());
        assertThat(invariants.noLockOutlivesItsLease(MAX_LEASE, Reliability.leaseSlackMillis()))
                .isEmpty();
        assertThat(most).isLessThanOrEqualTo(UNMOVED);
        assertThat(invariants.noFailures()).isEmpty();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("steps of ±1 h or ±2 h", steps().size());
        figures.put("leases", ended);
        figures.put("moved at most", most + " ms");
        figures.put("false locks", 0);
        figures.put("a lock by what an agent an hour slow logs, from when it could connect again", heard + " ms");
        Reliability.tell(
                7,
                "clocks of analyzer and agent stepped by an hour, then that agent's connection reset",
                "detection goes on, by what that agent logs, too; no false lock; leases unmoved within 1 s",
                getClass(),
                figures);
    }

    private static void awaiting(ThrowingRunnable condition) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(condition);
    }
}
