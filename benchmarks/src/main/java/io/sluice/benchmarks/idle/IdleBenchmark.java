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
    private static final Duration PATIENCE = Duration.ofMinutes(10);

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
        String warmUp = Integer.toString(scale.choose(5, 180));
        String seconds = Integer.toString(scale.choose(5, 30));
        for (int partitions : partitions(scale)) {
            try (BenchmarkBroker broker = BenchmarkBroker.start();
                    TemporaryFolder state = new TemporaryFolder()) {
                String folder = state.path().toString();
                String count = Integer.toString(partitions);
                String servers = broker.bootstrapServers();
                measure(partitions + " partitions", IdleChild.class, report, servers, folder, count, warmUp, seconds);
            }
            for (boolean heartbeats : List.of(false, true)) {
                try (BenchmarkBroker broker = BenchmarkBroker.start();
                        TemporaryFolder state = new TemporaryFolder()) {
                    measure(
                            partitions + " partitions, empty topology" + (heartbeats ? " and heartbeats" : ""),
                            FloorChild.class,
                            report,
                            broker.bootstrapServers(),
                            state.path().toString(),
                            Integer.toString(partitions),
                            warmUp,
                            seconds,
                            Boolean.toString(heartbeats));
                }
            }
        }
    }

    private static void measure(String what, Class<?> child, Report report, String... arguments) throws Exception {
        Map<String, Double> figures = Child.run(child, JavaOptions.SERVER, List.of(arguments), PATIENCE);
        // sorted by topic
        new TreeMap<>(figures).forEach((name, value) -> report.add(new Series(what + ", " + name, unit(name), value)));
    }

    /** As the system property {@code idle.partitions} lists them, separated by commas. */
    private static List<Integer> partitions(Scale scale) {
        String listed = System.getProperty("idle.partitions", "");
        return listed.isEmpty()
                ? scale.choose(List.of(4), List.of(4, 16, 48, 64, 256))
                : List.of(listed.split(",", -1)).stream().map(Integer::valueOf).toList();
    }

    private static String unit(String name) {
        return switch (name) {
            case IdleCost.CPU, IdleCost.THREADS_CPU -> "% of a core";
            case IdleCost.HEAP -> "MiB";
            default -> "records/s";
        };
    }
}
