package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.faults.history.Entry;
import io.sluice.faults.history.Invariants;
import io.sluice.faults.history.LockSpans;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.FakeTime;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.process.Needs;
import io.sluice.faults.report.Reliability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The analyzer's wall clock is stepped an hour back and an hour forward, while it runs and while it is down. */
class AnalyzerClockTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int MAX_LEASE = 30_000;
    private static final String POLICIES = UsualPolicies.busy();

    @TempDir
    Path folder;

    private final List<Long> decided = new ArrayList<>();

    @Test
    void decisionsGoOnAndNoneIsTakenBack() {
        FakeTime time = Needs.present(FakeTime.in(folder), "libfaketime");
        try (FaultyBroker broker = FaultyBroker.start();
                Surroundings around = new Surroundings(
                        folder, broker.bootstrap(), "c.", 2, POLICIES, "max-lease: " + MAX_LEASE + "ms")) {
            JavaProcess analyzer = around.start(around.analyzer("a").with(time.environment()));
            around.awaitAble(0, "a");
            AgentProcess agent = around.agent("agent-1", Map.of(), "noisy", "calm");
            around.agent("agent-2", Map.of(), "noisy", "calm");
            agent.traffic(Surroundings.amongOthers("calm-", Map.of("noisy", 60, "calm", 10)));
            around.awaitEverywhere(List.of("noisy"), "LOCKED:busy");

            step(around, time, HOUR.negated());
            newcomer(around, agent, "running-an-hour-slow");
            analyzer.kill();
            analyzer.restart();
            newcomer(around, agent, "restarted-an-hour-slow");
            step(around, time, HOUR);
            newcomer(around, agent, "running-an-hour-fast");
            analyzer.kill();
            analyzer.restart();
            newcomer(around, agent, "restarted-an-hour-fast");
            analyzer.kill();
            step(around, time, Duration.ZERO);
            analyzer.restart();
            newcomer(around, agent, "restarted-with-the-right-time");

            judge(around);
        }
    }

    private static void step(Surroundings around, FakeTime time, Duration by) {
        time.step(by);
        around.history.add(Entry.Kind.FAULT, "a", "its clock is wrong by " + by);
    }

    private void newcomer(Surroundings around, AgentProcess agent, String caller) {
        long begin = System.nanoTime();
        agent.traffic(Surroundings.amongOthers("calm-", Map.of("noisy", 60, "calm", 10, caller, 60)));
        around.awaitEverywhere(List.of(caller), "LOCKED:busy");
        decided.add((System.nanoTime() - begin) / 1_000_000);
    }

    private void judge(Surroundings around) {
        Invariants history = around.endWithRequests();

        LockSpans locks = history.locks();
        assertThat(locks.spans()).extracting(LockSpans.Span::agent).contains("agent-1", "agent-2");
        assertThat(locks.spans()).extracting(LockSpans.Span::caller).containsOnly("noisy");
        assertThat(around.lost(locks, Set.of("noisy"), MAX_LEASE)).isEmpty();
        assertThat(around.heartbeats().backwards()).isEmpty();
        assertThat(around.heartbeats().lives()).isGreaterThanOrEqualTo(2 * 4);
        assertThat(history.noLockOfAnInnocent(around.policies(), 500)).isEmpty();
        assertThat(history.noLockOutlivesItsLease(MAX_LEASE, Reliability.leaseSlackMillis()))
                .isEmpty();
        assertThat(history.noFailures()).isEmpty();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put(
                "a new caller is locked after (running, restarted, running, restarted, restarted)", decided + " ms");
        Reliability.tell(
                4,
                "the analyzer's clock stepped by -1 h and +1 h, running and restarted",
                "decisions go on, no lock is lost, taken back or prolonged, no innocent caller is locked",
                AnalyzerClockTest.class,
                figures);
    }
}
