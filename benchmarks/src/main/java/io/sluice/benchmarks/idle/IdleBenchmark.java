package io.sluice.benchmarks.idle;

import io.sluice.benchmarks.measure.Benchmark;
import io.sluice.benchmarks.measure.Child;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.measure.Series;
import io.sluice.benchmarks.workload.BenchmarkBroker;
import io.sluice.benchmarks.workload.JavaOptions;
import io.sluice.benchmarks.workload.TemporaryFolder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Records, CPU and heap of an analyzer that nothing is sent to, by the number of partitions. */
public final class IdleBenchmark implements Benchmark {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String purpose() {
        return "records, CPU and heap of an analyzer that nothing is sent to";
    }

    @Override
    public void run(Scale scale, Report report) throws Exception {
        for (int partitions : partitions(scale)) {
            try (BenchmarkBroker broker = BenchmarkBroker.start();
                    TemporaryFolder state = new TemporaryFolder()) {
                Map<String, Double> figures = Child.run(
                        IdleChild.class,
                        JavaOptions.SERVER,
                        List.of(
                                broker.bootstrapServers(),
                                state.path().toString(),
                                Integer.toString(partitions),
                                Integer.toString(scale.choose(5, 30))),
                        PATIENCE);
                // sorted by topic
                new TreeMap<>(figures)
                        .forEach((name, value) ->
                                report.add(new Series(partitions + " partitions, " + name, unit(name), value)));
            }
        }
    }

    /** As the system property {@code idle.partitions} lists them, separated by commas. */
    private static List<Integer> partitions(Scale scale) {
        String listed = System.getProperty("idle.partitions", "");
        return listed.isEmpty()
                ? scale.choose(List.of(4), List.of(4, 16, 48, 64))
                : List.of(listed.split(",", -1)).stream().map(Integer::valueOf).toList();
    }

    private static String unit(String name) {
        return switch (name) {
            case IdleChild.CPU -> "% of a core";
            case IdleChild.HEAP -> "MiB";
            default -> "records/s";
        };
    }
}
