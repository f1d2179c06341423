package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.faults.history.Invariants;
import io.sluice.faults.history.LockSpans;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.report.Reliability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client invents a new caller for each call, millions of them. Ten others are far over their limit meanwhile. */
class ManyCallersTest {
    private static final int CALLERS = Reliability.all() ? 10_000_000 : 200_000;
    private static final Duration PATIENCE = Reliability.all() ? Duration.ofMinutes(40) : Duration.ofMinutes(4);
    private static final long MEGABYTE = 1 << 20;
    /** Of the agent's JVM; {@code AgentProcess} says so, too. */
    private static final long AGENT_HEAP = 256 * MEGABYTE;

    private static final long ANALYZER_HEAP = 256 * MEGABYTE;
    private static final long ROCKSDB = 64 * MEGABYTE;
    /** What a JVM needs beside its heap: code, threads, buffers. */
    private static final long BESIDE = 256 * MEGABYTE;

    /** The offenders are a fifth of the active callers before the flood is read and after it: the guard's default would hold half of them back. */
    private static final String POLICIES = """
            guard: { atLeast: 10 }
            policies:
              - name: busy
                per: [caller]
                window: 1s
                panes: 10
                lock: { when: [{ above: 30 }], mode: block, for: 30m }
              - name: plan
                per: [caller]
                limit: { rate: 200/s, burst: 200 }
            """;

    private static final List<String> OFFENDERS =
            IntStream.range(0, 10).mapToObj(i -> "offender-" + i).toList();

    @TempDir
    Path folder;

    @Test
    void memoryIsBoundedOffendersAreLockedAndNobodyElse() {
        try (FaultyBroker broker = FaultyBroker.start();
                Surroundings around = new Surroundings(
                        folder,
                        broker.bootstrap(),
                        "m.",
                        2,
                        POLICIES,
                        "max-lease: 60s, rocksdb-memory: " + ROCKSDB / MEGABYTE + "MB")) {
            List<String> dead = List.of("-XX:+ExitOnOutOfMemoryError");
            JavaProcess analyzer = around.start(around.analyzer("a").java(dead));
            around.awaitAble(0, "a");
            AgentProcess agent = around.agent(
                    "agent-1", Map.of("kafka.delivery.timeout.ms", "120000"), OFFENDERS.toArray(new String[0]));
            agent.ask("flood " + CALLERS);
            agent.traffic(Surroundings.amongOthers(
                    "regular-", OFFENDERS.stream().collect(Collectors.toMap(caller -> caller, caller -> 60))));

            around.awaitEverywhere(OFFENDERS, "LOCKED:busy");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> !flooded(agent).endsWith(" millis=0"));
            String flooded = flooded(agent);
            around.awaitEverywhere(OFFENDERS, "LOCKED:busy");
            assertThat(flooded).contains("called=" + CALLERS + " locked=0 exceptions=0");
            assertThat(around.notPassing(regulars())).isEmpty();
            long agents = agent.process().mostMemory();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> around.read() > CALLERS - agent.books().drops());
            long analyzers = analyzer.mostMemory();
            assertThat(analyzer.alive()).as("%s", analyzer).isTrue();
            judge(around, agent, AgentProcess.number(flooded, "millis"), agents, analyzers);
        }
    }

    private static String flooded(AgentProcess agent) {
        return agent.ask("flooded");
    }

    private static List<String> regulars() {
        List<String> regulars =
                new ArrayList<>(Surroundings.amongOthers("regular-", Map.of()).keySet());
        regulars.add("once-0");
        regulars.add("once-" + (CALLERS - 1));
        return regulars;
    }

    private static void judge(Surroundings around, AgentProcess agent, long millis, long agents, long analyzers) {
        String status = agent.status();
        Invariants history = around.end();

        Set<String> locked = new TreeSet<>();
        for (LockSpans.Decision decision : history.locks().decisions()) {
            locked.addAll(decision.lock().subject());
        }
        assertThat(locked).isEqualTo(new TreeSet<>(OFFENDERS));
        assertThat(history.noFailures()).isEmpty();
        assertThat(agents).as("the agent's memory").isLessThan(AGENT_HEAP + BESIDE);
        assertThat(analyzers).as("the analyzer's memory").isLessThan(ANALYZER_HEAP + ROCKSDB + BESIDE);
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("callers that called once", CALLERS);
        figures.put("calls a second", CALLERS * 1_000L / Math.max(1, millis));
        figures.put("gates kept", AgentProcess.number(status, "gates"));
        figures.put("log entries dropped", agent.books().drops());
        figures.put("most memory: agent", agents / MEGABYTE + " MiB");
        figures.put("analyzer", analyzers / MEGABYTE + " MiB");
        Reliability.tell(
                8,
                "a new caller for each of " + CALLERS
                        + " calls, agent with -Xmx256m, analyzer with -Xmx256m and 64 MB for RocksDB",
                "memory is bounded, ten real offenders are locked, no others are",
                ManyCallersTest.class,
                figures);
    }
}
