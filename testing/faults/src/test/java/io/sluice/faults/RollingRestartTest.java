package io.sluice.faults;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.faults.history.Entry;
import io.sluice.faults.history.Invariants;
import io.sluice.faults.history.LockSpans;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.net.RequestLog;
import io.sluice.faults.process.AgentProcess;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.report.Reliability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two analyzers with a standby each for the other's tasks. They are restarted in turns; then one stays away until the other has
 * made its standbys active, and comes back. All ends are clean ones: not one call may be lost or counted twice.
 */
class RollingRestartTest {
    private static final int PARTITIONS = 4;
    private static final int ROUNDS = Reliability.times(2);
    private static final int CALLERS = 40;
    private static final int PER_SECOND = 20;
    private static final long LIMIT = 400L * ROUNDS;
    private static final long MAX_LEASE = 60_000;
    /** 128 and SIGTERM: what a Java process says that was asked to end and did. */
    private static final int TERMINATED = 143;

    private static final String POLICIES = UsualPolicies.countedAndBusyNoisy(LIMIT);

    private static final List<String> NOISY =
            IntStream.range(0, 2 * PARTITIONS).mapToObj(i -> "noisy-" + i).toList();

    @TempDir
    Path folder;

    private final List<Long> restartGaps = new ArrayList<>();
    private final List<Long> takeoverGaps = new ArrayList<>();

    @Test
    void noLockIsLostOrDoubledAndNoCall() {
        try (FaultyBroker broker = FaultyBroker.start();
                Surroundings around = new Surroundings(
                        folder,
                        broker.bootstrap(),
                        "r.",
                        PARTITIONS,
                        POLICIES,
                        "standbys: 1, max-lease: " + MAX_LEASE + "ms")) {
            JavaProcess a = around.start(around.analyzer("a"));
            JavaProcess b = around.start(around.analyzer("b"));
            around.awaitAble(0, "a", "b");
            String[] watched = NOISY.toArray(new String[0]);
            AgentProcess agent = around.agent("agent-1", Map.of(), watched);
            around.agent("agent-2", Map.of(), watched);
            agent.traffic(Surroundings.amongOthers(
                    "noisy-calm-", NOISY.stream().collect(Collectors.toMap(caller -> caller, caller -> 40))));
            around.awaitEverywhere(NOISY, "LOCKED:busy");
            try (RequestLog log = around.log();
                    CountedCallers callers = new CountedCallers(log, CALLERS)) {
                // they stay active callers for the guard, whichever instance has the tasks
                around.bystanders(log, "counted-calm-", 200);
                around.awaitActive("counted", 2 * CALLERS);
                callers.begin(PER_SECOND, LIMIT);
                for (int round = 0; round < ROUNDS; round++) {
                    restart(around, "a", a);
                    restart(around, "b", b);
                    stayAway(around, a);
                }
                callers.upTo(LIMIT);
                Surroundings.pass(2_000);
                assertThat(around.notPassing(callers.names()))
                        .as("at the limit")
                        .isEmpty();
                around.awaitCounted();
                callers.upTo(LIMIT + 1);
                around.awaitEverywhere(callers.names(), "LOCKED:counted");
            }
            judge(around);
        }
    }

    private void restart(Surroundings around, String instance, JavaProcess analyzer) {
        awaitAllTasksOnDisk(around);
        long begin = System.currentTimeMillis();
        end(around, instance, analyzer);
        long restarted = System.currentTimeMillis();
        analyzer.restart();
        around.awaitAble(restarted, "a", "b");
        restartGaps.add(around.heartbeats().longestGap(begin, System.currentTimeMillis()));
    }

    /** The session of a member that ended cleanly has to time out: it is expected back. */
    private void stayAway(Surroundings around, JavaProcess a) {
        awaitAllTasksOnDisk(around);
        long begin = System.currentTimeMillis();
        end(around, "a", a);
        around.awaitAble(System.currentTimeMillis(), "b");
        takeoverGaps.add(around.heartbeats().longestGap(begin, System.currentTimeMillis()));
        a.restart();
        awaitAllTasksOnDisk(around);
        around.awaitAble(System.currentTimeMillis(), "a", "b");
    }

    private static void end(Surroundings around, String instance, JavaProcess analyzer) {
        around.history.add(Entry.Kind.FAULT, instance, "terminated");
        analyzer.terminate();
        assertThat(analyzer.exit(Surroundings.PATIENCE)).as("%s", analyzer).contains(TERMINATED);
    }

    /** Active or standby: each analyzer holds the state of all decide tasks. */
    private static void awaitAllTasksOnDisk(Surroundings around) {
        Set<String> all = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> "1_" + partition)
                .collect(Collectors.toCollection(TreeSet::new));
        for (String instance : List.of("a", "b")) {
            around.awaiting(() -> assertThat(tasks(around.state(instance))).containsAll(all));
        }
    }

    private static Set<String> tasks(Path state) {
        if (!Files.isDirectory(state)) {
            return Set.of();
        }
        try (Stream<Path> below = Files.walk(state, 3)) {
            return below.filter(Files::isDirectory)
                    .map(path -> path.getFileName().toString())
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void judge(Surroundings around) {
        Invariants history = around.end();
        LockSpans locks = history.locks();

        assertThat(locks.spans().stream().map(span -> List.of(span.agent(), span.caller())))
                .as("locked by each agent")
                .containsAll(NOISY.stream()
                        .flatMap(caller -> Stream.of(List.of("agent-1", caller), List.of("agent-2", caller)))
                        .toList());
        assertThat(around.lost(locks, Set.copyOf(NOISY), MAX_LEASE))
                .as("never let in")
                .isEmpty();
        // none of them was lost: these callers had ceased
        Set<String> letIn = locks.spans().stream()
                .filter(span -> span.until() < Long.MAX_VALUE)
                .map(LockSpans.Span::caller)
                .collect(Collectors.toSet());
        Map<List<String>, Set<Long>> openings = locks.decisions().stream()
                .collect(Collectors.groupingBy(
                        it -> it.lock().subject(),
                        Collectors.mapping(it -> it.lock().since(), Collectors.toSet())));
        assertThat(openings)
                .hasSize(NOISY.size() + CALLERS)
                .allSatisfy((subject, since) -> assertThat(since.size() == 1 || letIn.containsAll(subject))
                        .as("opened once: %s at %s", subject, since)
                        .isTrue());
        assertThat(locks.decisions())
                .filteredOn(it -> it.lock().policy().equals("counted"))
                .allSatisfy(it ->
                        assertThat(requireNonNull(it.lock().evidence()).sum()).isEqualTo((double) (LIMIT + 1)));
        assertThat(history.noLockOutlivesItsLease(MAX_LEASE, Reliability.leaseSlackMillis()))
                .isEmpty();
        assertThat(history.noFailures()).isEmpty();
        assertThat(around.heartbeats().backwards()).isEmpty();
        if (Reliability.all()) {
            assertThat(Collections.max(restartGaps)).isLessThan(10_000);
            assertThat(Collections.max(takeoverGaps)).isLessThan(15_000);
        }
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("nothing decided for at most: restarted", restartGaps + " ms");
        figures.put("replaced by its standby", takeoverGaps + " ms");
        figures.put("locks held", NOISY.size());
        figures.put("calls counted exactly", CALLERS * (LIMIT + 1));
        Reliability.tell(
                5,
                "two analyzers with standbys, restarted in turns; one replaced by its standby",
                "no lock and no call lost or doubled",
                RollingRestartTest.class,
                figures);
    }
}
