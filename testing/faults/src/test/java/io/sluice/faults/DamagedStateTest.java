package io.sluice.faults;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.key.Partitions;
import io.sluice.contract.lock.GateKeys;
import io.sluice.faults.history.Entry;
import io.sluice.faults.history.Invariants;
import io.sluice.faults.history.LockSpans;
import io.sluice.faults.net.FaultyBroker;
import io.sluice.faults.net.RequestLog;
import io.sluice.faults.process.JavaProcess;
import io.sluice.faults.report.Reliability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk has damaged what an analyzer keeps: the state of each of eight decide tasks in a way of its own. Some of it shows when the
 * analyzer starts, some when it reads, and nothing that was counted may be missing afterwards.
 */
class DamagedStateTest {
    private static final int ROUNDS = Reliability.times(3);
    private static final int EACH = 4;
    private static final int BEFORE = 120;
    private static final int LIMIT = 200;
    /** What an end in between may count twice: far less than this. */
    private static final int ALMOST = LIMIT - 10;
    /** A task is rebuilt at most once; what shows only when it is read ends the process. */
    private static final int MOST_ENDS = 3 * ROUNDS;

    /** A way in which a task's directory can be damaged. */
    private enum Damage {
        MANIFESTS_ARE_GARBAGE,
        CURRENT_IS_GONE,
        BITS_FLIPPED,
        TABLES_CUT,
        TABLES_GONE,
        ALL_GONE,
        A_FILE_IN_ITS_PLACE,
        ALL_EMPTY;

        /** @return how many files were damaged */
        int befall(Path task) throws IOException {
            List<Path> files = files(task);
            List<Path> tables = ending(files, ".sst");
            switch (this) {
                case MANIFESTS_ARE_GARBAGE -> {
                    return write(beginning(files, "MANIFEST"), new byte[] {1, 2, 3, 4, 5});
                }
                case CURRENT_IS_GONE -> {
                    return delete(beginning(files, "CURRENT"));
                }
                case BITS_FLIPPED -> {
                    for (Path table : tables) {
                        byte[] bytes = Files.readAllBytes(table);
                        // its data stands in front, what is needed to open it behind
                        for (int i = 0; i < bytes.length / 4; i++) {
                            bytes[i] ^= 0x10;
                        }
                        Files.write(table, bytes);
                    }
                    return tables.size();
                }
                case TABLES_CUT -> {
                    for (Path table : tables) {
                        byte[] bytes = Files.readAllBytes(table);
                        Files.write(table, Arrays.copyOf(bytes, bytes.length / 2));
                    }
                    return tables.size();
                }
                case TABLES_GONE -> {
                    return delete(tables);
                }
                case ALL_GONE -> {
                    return gone(task);
                }
                case A_FILE_IN_ITS_PLACE -> {
                    int many = gone(task);
                    Files.writeString(task, "not a directory");
                    return many;
                }
                default -> {
                    return write(files, new byte[0]);
                }
            }
        }

        private static List<Path> files(Path task) throws IOException {
            try (Stream<Path> all = Files.walk(task)) {
                return all.filter(Files::isRegularFile).toList();
            }
        }

        private static List<Path> ending(List<Path> files, String end) {
            return files.stream().filter(file -> file.toString().endsWith(end)).toList();
        }

        private static List<Path> beginning(List<Path> files, String begin) {
            return files.stream()
                    .filter(file -> file.getFileName().toString().startsWith(begin))
                    .toList();
        }

        private static int write(List<Path> files, byte[] bytes) throws IOException {
            for (Path file : files) {
                Files.write(file, bytes);
            }
            return files.size();
        }

        private static int delete(List<Path> files) throws IOException {
            for (Path file : files) {
                Files.delete(file);
            }
            return files.size();
        }

        private static int gone(Path task) throws IOException {
            try (Stream<Path> all = Files.walk(task)) {
                List<Path> paths = all.sorted(Comparator.reverseOrder()).toList();
                return delete(paths);
            }
        }
    }

    private static final int PARTITIONS = Damage.values().length;

    @TempDir
    Path folder;

    @Test
    void itRepairsItselfAndNothingThatWasCountedIsMissing() throws Exception {
        List<String> callers = callers();
        int limit = BEFORE * ROUNDS + LIMIT - BEFORE;
        try (FaultyBroker broker = FaultyBroker.start();
                Surroundings around = new Surroundings(
                        folder,
                        broker.bootstrap(),
                        "d.",
                        PARTITIONS,
                        UsualPolicies.counted(limit),
                        "max-lease: 60s, rocksdb-memory: 16MB")) {
            JavaProcess analyzer = around.start(around.analyzer("a"));
            around.awaitAble(0, "a");
            around.agent("agent-1", Map.of(), callers.toArray(new String[0]));
            Supervisor supervisor = new Supervisor(analyzer, MOST_ENDS);
            try (RequestLog log = around.log()) {
                int called = 0;
                for (int round = 0; round < ROUNDS; round++) {
                    called = call(log, callers, called, called + BEFORE - 1);
                    long sent = (long) called * callers.size();
                    around.awaiting(() -> assertThat(around.read()).isEqualTo(sent));
                    stop(analyzer);
                    damage(around, round);
                    long begin = System.currentTimeMillis();
                    analyzer.restart();
                    able(around, supervisor, begin);

                    // whatever shows only when it is read shows now
                    called = call(log, callers, called, called + 1);
                    able(around, supervisor, System.currentTimeMillis());
                }
                around.bystanders(log, "counted-calm-", 400);
                called = call(log, callers, called, limit - (LIMIT - ALMOST));
                around.awaitCounted();
                able(around, supervisor, System.currentTimeMillis());
                assertThat(around.notPassing(callers)).as("almost").isEmpty();
                call(log, callers, called, limit + 1);
                around.awaitEverywhere(callers, "LOCKED:counted");
            }
            judge(around, callers, supervisor);
        }
    }

    /** As many of each partition. */
    private static List<String> callers() {
        Map<Integer, List<String>> byPartition = new LinkedHashMap<>();
        IntStream.range(0, 1_000).mapToObj(i -> "counted-" + i).forEach(caller -> {
            int partition = Partitions.of(CompositeKey.bytes(GateKeys.key("counted", List.of(caller))), PARTITIONS);
            List<String> its = byPartition.computeIfAbsent(partition, any -> new ArrayList<>());
            if (its.size() < EACH) {
                its.add(caller);
            }
        });
        return byPartition.values().stream().flatMap(List::stream).toList();
    }

    private static int call(RequestLog log, List<String> callers, int called, int upTo) {
        long now = System.currentTimeMillis();
        for (int i = called; i < upTo; i++) {
            callers.forEach(caller -> log.add(caller, now));
        }
        log.flush();
        return upTo;
    }

    private static void stop(JavaProcess analyzer) {
        analyzer.terminate();
        assertThat(analyzer.exit(Surroundings.PATIENCE)).as("%s", analyzer).contains(143);
    }

    /** Each round another way for each task. */
    private static void damage(Surroundings around, int round) throws IOException {
        Path tasks = around.state("a").resolve("a").resolve(around.topics.prefix() + "sluice-analyzer");
        for (int partition = 0; partition < PARTITIONS; partition++) {
            Damage damage = Damage.values()[(partition + round) % PARTITIONS];
            assertThat(damage.befall(tasks.resolve("1_" + partition)))
                    .as("%s", damage)
                    .isPositive();
            around.history.add(Entry.Kind.FAULT, "1_" + partition, damage.toString());
        }
    }

    private static void able(Surroundings around, Supervisor supervisor, long since) {
        around.awaiting(() -> {
            supervisor.look();
            assertThat(around.heartbeats().able(PARTITIONS, since, List.of("a")))
                    .isTrue();
        });
    }

    private static void judge(Surroundings around, List<String> callers, Supervisor supervisor) {
        Invariants history = around.end();
        assertThat(history.locks().spans()).hasSize(callers.size()).allMatch(span -> span.until() == Long.MAX_VALUE);
        assertThat(history.locks().decisions())
                .isNotEmpty()
                .allSatisfy(
                        it -> assertThat(requireNonNull(it.lock().evidence()).sum())
                                .isGreaterThan(it.lock().evidence().threshold()));
        assertThat(history.noFailures()).isEmpty();
        long most = history.locks().decisions().stream()
                .map(LockSpans.Decision::lock)
                .mapToLong(lock -> (long) requireNonNull(lock.evidence()).sum())
                .max()
                .orElse(0);
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("tasks damaged", PARTITIONS * ROUNDS);
        figures.put("ends of the process", supervisor.ends());
        figures.put("callers locked at their call " + (BEFORE * ROUNDS + LIMIT - BEFORE + 1), callers.size());
        figures.put("most that was counted for one", most);
        Reliability.tell(
                9,
                "the state of eight tasks damaged in eight ways",
                "repairs itself, nothing counted is missing, no crash loop",
                DamagedStateTest.class,
                figures);
    }
}
