package io.sluice.benchmarks.fleet;

import io.sluice.benchmarks.measure.Goal;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.measure.Series;
import java.util.List;

/**
 * Compares the simulation with real processes: an analyzer beside a broker, at rest and under load. A thread of the real analyzer stands for an
 * instance of the simulation.
 */
final class CalibrationPart {
    private static final int EVENTS_PER_SECOND = 2_000;
    private static final int PARTITIONS_PER_THREAD = 16;
    /** A topic with fewer records per second is left out: a single record more would be a difference of its own. */
    private static final double LEAST_RECORDS = 1;

    private final Scale scale;
    private final Report report;

    CalibrationPart(Scale scale, Report report) {
        this.scale = scale;
        this.report = report;
    }

    void run() throws Exception {
        for (int partitions : scale.choose(List.of(4), List.of(4, 16, 64))) {
            if (scale == Scale.FULL) {
                compare("rest", partitions, 0);
            }
            compare("load", partitions, EVENTS_PER_SECOND);
        }
    }

    /** At most {@value #PARTITIONS_PER_THREAD} partitions a thread: with more under load, a thread falls behind on a small machine. */
    private static int threads(int partitions) {
        return Math.max(1, partitions / PARTITIONS_PER_THREAD);
    }

    private void compare(String kind, int partitions, int eventsPerSecond) throws Exception {
        var scenario = new Scenario(
                partitions,
                threads(partitions),
                0,
                1,
                eventsPerSecond,
                FleetBenchmark.callers(),
                scale.choose(6, 20),
                scale.choose(6, 20));
        String prefix = "%s, %d partitions: ".formatted(kind, partitions);
        System.err.println("calibration, " + prefix.replace(":", ""));
        FleetFigures simulated = new FleetSimulation(scenario).run();
        Calibration real = Calibration.measure(scenario);
        report.add(new Series(prefix + "heap of the real process", "MiB", real.heap()));
        report.add(new Series(prefix + "CPU of the real process", "% of a core", real.cpu()));
        for (Topic topic : Topic.values()) {
            if (real.records(topic) >= LEAST_RECORDS || simulated.records(topic) >= LEAST_RECORDS) {
                compare(
                        prefix + topic.label() + " records",
                        "records/s",
                        simulated.records(topic),
                        real.records(topic));
                compare(prefix + topic.label() + " bytes", "B/s", simulated.bytes(topic), real.bytes(topic));
            }
        }
    }

    /** One goal on each side, and no guard: how far a real process gets depends on what else the machine does. */
    private void compare(String name, String unit, double simulated, double real) {
        report.add(new Series(name + ", simulated", unit, simulated));
        report.add(new Series(name + ", real", unit, real));
        double ratio = simulated / real;
        report.ratio(name + ", simulated / real, at least", ratio, Goal.atLeast(0.8, 0));
        report.ratio(name + ", simulated / real, at most", ratio, Goal.atMost(1.25, Double.MAX_VALUE));
    }
}
