package io.sluice.benchmarks.replay;

import io.sluice.benchmarks.measure.Benchmark;
import io.sluice.benchmarks.measure.Goal;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Rounds;
import io.sluice.benchmarks.measure.Rounds.Contender;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.measure.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Lines a second of {@code ./sluice replay} and of goaccess, over the whole life of a process each. */
public final class ReplayBenchmark implements Benchmark {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    // what the launcher gives to Java
    private static final List<String> LAUNCHER = List.of("-XX:MaxRAMPercentage=50", "-XX:+ExitOnOutOfMemoryError");
    private static final String POLICIES = """
            version: 1
            policies:
              - name: crowding
                per: [ip]
                window: 1m
                lock: { when: [{ above: 2000 }], mode: block, for: 5m }
            """;

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public String purpose() {
        return "./sluice replay of an access log against goaccess counting the same file";
    }

    @Override
    public void run(Scale scale, Report report) throws Exception {
        Goaccess goaccess = Goaccess.find(System.getenv().getOrDefault("PATH", ""));
        Path folder = Files.createTempDirectory("sluice-replay");
        try {
            measure(goaccess, folder, scale, report);
        } finally {
            delete(folder);
        }
    }

    private static void measure(Goaccess goaccess, Path folder, Scale scale, Report report) throws Exception {
        long lines = scale.choose(200_000L, 1_000_000L);
        Path log = folder.resolve("access.log");
        CombinedLog.write(log, lines);
        Path policies = Files.writeString(folder.resolve("policies.yml"), POLICIES);
        List<Contender> contenders = new ArrayList<>();
        contenders.add(contender("goaccess", lines, goaccess.command(log), folder));
        contenders.add(contender("replay", lines, replay("--policies", policies.toString(), log.toString()), folder));
        contenders.add(contender("replay without policies", lines, replay(log.toString()), folder));
        List<Series> series = new Rounds(scale.choose(2, 3), System.err::println).measure("lines/s", contenders);
        check(folder, lines);
        report.add(series);
        double ratio = series.get(1).over(series.get(0));
        // half of a small file's time is the start of a JVM
        report.ratio("replay over goaccess", ratio, Goal.atLeast(0.5, scale.choose(0.12, 0.3)));
        report.ratio("replay without policies over goaccess", series.get(2).over(series.get(0)));
    }

    private static Contender contender(String name, long lines, List<String> command, Path folder) {
        return new Contender(name, () -> lines / Timed.seconds(command, folder, PATIENCE));
    }

    private static List<String> replay(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(LAUNCHER);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ReplayMain.class.getName(), "replay"));
        command.addAll(List.of("--report", "replay.json"));
        command.addAll(List.of(arguments));
        return command;
    }

    /** A program that reads less is faster, and no peer. */
    private static void check(Path folder, long lines) throws IOException {
        long counted = Goaccess.counted(folder).orElse(-1L);
        if (counted != lines) {
            throw new IOException("goaccess has counted %d of %d lines".formatted(counted, lines));
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
