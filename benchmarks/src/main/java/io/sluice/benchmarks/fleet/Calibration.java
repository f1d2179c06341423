package io.sluice.benchmarks.fleet;

import io.sluice.benchmarks.measure.Child;
import io.sluice.benchmarks.workload.BenchmarkBroker;
import io.sluice.benchmarks.workload.JavaOptions;
import io.sluice.benchmarks.workload.TemporaryFolder;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Records and bytes per second that a real analyzer writes beside a real broker.
 *
 * @param figures of the child, by name
 */
record Calibration(Map<String, Double> figures) {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Measures a scenario without agents, with one process that has a thread for each instance. */
    static Calibration measure(Scenario scenario) throws Exception {
        try (BenchmarkBroker broker = BenchmarkBroker.start();
                TemporaryFolder state = new TemporaryFolder()) {
            return new Calibration(Child.run(
                    RealAnalyzer.class,
                    JavaOptions.SERVER,
                    List.of(
                            broker.bootstrapServers(),
                            state.path().toString(),
                            Integer.toString(scenario.partitions()),
                            Integer.toString(scenario.eventsPerSecond()),
                            Integer.toString(scenario.warmUpSeconds()),
                            Integer.toString(scenario.seconds()),
                            Integer.toString(scenario.instances())),
                    PATIENCE));
        }
    }

    /** Records written to a topic per second. */
    double records(Topic topic) {
        return sum(RealAnalyzer.RECORDS, topic);
    }

    /** Bytes by which a topic's log grew per second. */
    double bytes(Topic topic) {
        return sum(RealAnalyzer.BYTES, topic);
    }

    /** Heap in use after a collection, MiB. */
    double heap() {
        return figures.getOrDefault(RealAnalyzer.HEAP, Double.NaN);
    }

    /** CPU of the process in percent of a core, with the thread that sends the requests. */
    double cpu() {
        return figures.getOrDefault(RealAnalyzer.CPU, Double.NaN);
    }

    private double sum(String kind, Topic topic) {
        return figures.entrySet().stream()
                .filter(figure -> figure.getKey().startsWith(kind) && is(figure.getKey(), topic))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private static boolean is(String name, Topic topic) {
        return topic == Topic.CHANGELOGS
                ? name.endsWith("-changelog")
                : name.endsWith(":" + RealAnalyzer.PREFIX + topic.label());
    }
}
