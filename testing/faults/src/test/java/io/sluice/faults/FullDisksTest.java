package io.sluice.faults;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.faults.history.Entry;
import io.sluice.faults.history.HarnessClock;
import io.sluice.faults.history.Invariants;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.net.RequestLog;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.process.Needs;
import io.sluice.faults.process.SmallDisk;
import io.sluice.faults.report.Reliability;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** There is no room left on the disk of the analyzer's state, or on the broker's. Later there is room again. */
class FullDisksTest {
    private static final int PARTITIONS = 2;
    private static final int LIMIT = 100;
    private static final int BEFORE = 60;
    /**
     * Two unclean ends may double it in both stages: sent up to three times as usage, of which the last is counted once, the one
     * before twice, the first three times. Six times this must not make an offender.
     */
    private static final int MEANWHILE = 6;

    private static final int DOUBLED = 6;

    private static final int DISK = 192;
    /** More than write buffers hold: it has to go to the disk. */
    private static final int CROWD = Reliability.all() ? 200_000 : 60_000;

    private static final String POLICIES = UsualPolicies.countedAndBusyNoisy(LIMIT);
    private static final List<String> CALLERS =
            IntStream.range(0, 20).mapToObj(i -> "counted-" + i).toList();

    private static final Map<String, Object> FIGURES = new LinkedHashMap<>();

    @TempDir
    Path folder;

    @AfterAll
    static void tell() {
        Reliability.tell(
                9,
                "no room for the analyzer's state; no room on the broker's disk",
                "the analyzer ends with 1 and a clear line, again until there is room, and loses nothing; checks go on, drops are"
                        + " counted, what the broker had stored still counts",
                FullDisksTest.class,
                FIGURES);
    }

    @Test
    void anAnalyzerWithoutRoomForItsStateEndsAndLosesNothing() {
        try (SmallDisk disk = Needs.present(SmallDisk.in(folder.resolve("state-a"), DISK), "a tmpfs");
                FaultyBroker broker = FaultyBroker.start();
                Surroundings around = new Surroundings(
                        folder,
                        broker.bootstrap(),
                        "s.",
                        PARTITIONS,
                        POLICIES + UsualPolicies.baselines("counted-calm-*"),
                        "max-lease: 60s, rocksdb-memory: 16MB");
                JavaProcess analyzer = around.start(around.analyzer("a"))) {
            around.awaitAble(0, "a");
            around.agent("agent-1", Map.of(), CALLERS.toArray(new String[0]));
            try (RequestLog log = around.log()) {
                call(log, BEFORE);
                awaitRead(around, (long) BEFORE * CALLERS.size());
                around.awaitCounted();

                disk.fill(0);
                around.history.add(Entry.Kind.FAULT, "state", "no room");
                long begin = HarnessClock.now();
                around.bystanders(log, "counted-calm-", CROWD);
                call(log, MEANWHILE);
                assertThat(analyzer.exit(Surroundings.PATIENCE))
                        .as("%s", analyzer)
                        .contains(1);
                long ended = HarnessClock.now() - begin;
                assertThat(noRoom(analyzer)).isEqualTo(1);
                // what it had reserved for later is free now
                disk.fill(0);
                analyzer.restart();
                assertThat(analyzer.exit(Surroundings.PATIENCE))
                        .as("%s", analyzer)
                        .contains(1);
                assertThat(noRoom(analyzer)).isEqualTo(2);

                disk.free();
                around.history.add(Entry.Kind.FAULT, "state", "room");
                long freed = System.currentTimeMillis();
                analyzer.restart();
                around.awaitAble(freed, "a");
                awaitRead(around, CROWD + (long) (BEFORE + MEANWHILE) * CALLERS.size());
                assertThat(around.notPassing(CALLERS)).isEmpty();
                around.bystanders(log, "counted-calm-", 100);
                around.awaitCounted();
                call(log, LIMIT + 1 - BEFORE - MEANWHILE);
                around.awaitEverywhere(CALLERS, "LOCKED:counted");
                assertThat(analyzer.alive()).isTrue();
                judge(around, ended);
            }
        }
    }

    private static void call(RequestLog log, int times) {
        long now = System.currentTimeMillis();
        for (int i = 0; i < times; i++) {
            CALLERS.forEach(caller -> log.add(caller, now));
        }
        log.flush();
    }

    private static void awaitRead(Surroundings around, long atLeast) {
        around.awaiting(() -> assertThat(around.read()).isGreaterThanOrEqualTo(atLeast));
    }

    private static long noRoom(JavaProcess analyzer) {
        return analyzer.logged()
                .lines()
                .filter(line -> line.startsWith("analyzer.state-dir: no space left on device"))
                .count();
    }

    private static void judge(Surroundings around, long ended) {
        Invariants history = around.end();
        assertThat(history.locks().decisions())
                .isNotEmpty()
                .allSatisfy(it -> assertThat(it.lock().subject().get(0)).isIn(CALLERS));
        assertThat(history.locks().spans()).hasSize(CALLERS.size()).allMatch(span -> span.until() == Long.MAX_VALUE);
        assertThat(history.noFailures()).isEmpty();
        if (Reliability.all()) {
            assertThat(ended).isLessThan(60_000);
        }
        long most = history.locks().decisions().stream()
                .mapToLong(it -> (long) requireNonNull(it.lock().evidence()).sum())
                .max()
                .orElse(0);
        assertThat(most)
                .as("what two unclean ends can double")
                .isLessThanOrEqualTo(LIMIT + 1 + (DOUBLED - 1) * MEANWHILE);
        FIGURES.put("state: the analyzer ended with a clear line after", ended + " ms");
        FIGURES.put("events read through it", CROWD + (LIMIT + 1) * CALLERS.size());
        FIGURES.put("locked at call " + (LIMIT + 1), CALLERS.size() + " of " + CALLERS.size());
        FIGURES.put("most that was counted for one", most);
    }

    @Test
    void aBrokerWithoutRoomIsNoConcernOfChecksAndWhatItHadStoredCounts() {
        try (SmallDisk disk = Needs.present(SmallDisk.in(folder.resolve("disk"), DISK), "a tmpfs");
                FaultyBroker broker = FaultyBroker.startIn(disk.folder().resolve("data"));
                Surroundings around =
                        new Surroundings(folder, broker.bootstrap(), "b.", PARTITIONS, POLICIES, "max-lease: 60s");
                JavaProcess analyzer = around.start(around.analyzer("a"))) {
            around.awaitAble(0, "a");
            AgentProcess agent = around.agent("agent-1", Map.of(), CALLERS.toArray(new String[0]));
            try (RequestLog log = around.log()) {
                call(log, BEFORE);
                awaitRead(around, (long) BEFORE * CALLERS.size());
                around.awaitCounted();
            }
            disk.fill(256 * 1024);
            around.history.add(Entry.Kind.FAULT, "broker", "no room");
            agent.figures();
            agent.traffic(Surroundings.amongOthers("noisy-calm-", Map.of("amber", 2_000)));
            around.awaiting(() -> assertThat(broker.process().alive()).isFalse());
            around.awaiting(() -> assertThat(broker.process().lastOutput())
                    .contains("the embedded broker failed", "data directory " + disk.folder(), "no space left"));
            long ended = agent.books().checks();
            around.awaiting(() -> assertThat(agent.books().checks()).isGreaterThan(ended + 4_000));
            Map<String, Long> checks = agent.figures();

            disk.free();
            around.history.add(Entry.Kind.FAULT, "broker", "room");
            broker.process().restart();
            Supervisor supervisor = new Supervisor(analyzer, 1);
            agent.traffic(Surroundings.amongOthers("noisy-calm-", Map.of("noisy", 60)));
            around.awaiting(() -> {
                supervisor.look();
                assertThat(agent.verdict("noisy")).isEqualTo("LOCKED:busy");
            });
            try (RequestLog log = around.log()) {
                around.bystanders(log, "counted-calm-", 100);
                call(log, LIMIT - 5 - BEFORE);
                around.awaitCounted();
                assertThat(around.notPassing(CALLERS)).isEmpty();
                call(log, 6);
            }
            around.awaitEverywhere(CALLERS, "LOCKED:counted");
            judge(around, agent, checks, supervisor);
        }
    }

    private static void judge(
            Surroundings around, AgentProcess agent, Map<String, Long> checks, Supervisor supervisor) {
        assertThat(agent.books().drops()).as("counted").isPositive();
        assertThat(around.end().noFailures()).isEmpty();
        FIGURES.put("broker: checks meanwhile", checks.get("count"));
        FIGURES.put("p99 of a check", checks.get("p99") + " ns");
        FIGURES.put("ends of the analyzer", supervisor.ends());
    }
}
