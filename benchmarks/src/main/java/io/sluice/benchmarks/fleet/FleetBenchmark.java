package io.sluice.benchmarks.fleet;

import io.sluice.benchmarks.measure.Benchmark;
import io.sluice.benchmarks.measure.Goal;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.measure.Series;
import io.sluice.benchmarks.workload.Callers;
import java.util.List;

/** Messages, bytes and memory of fleets up to 1,000 partitions, 100 instances and 10,000 agents, simulated. */
public final class FleetBenchmark implements Benchmark {
    private static final int MOST_PARTITIONS = 1_000;
    private static final int MOST_AGENTS = 10_000;
    private static final int EVENTS_PER_SECOND = 20_000;
    private static final int EVENTS_PER_PARTITION = 1_000;
    private static final int SERVICES = 200;
    private static final int LOCKS = 1_000_000;
    private static final double ZIPF = 1.1;

    @Override
    public String name() {
        return "fleet";
    }

    @Override
    public String purpose() {
        return "messages, bytes and memory of large fleets, simulated and checked against real processes";
    }

    /** The callers of a simulation, by Zipf's law. */
    static Callers callers() {
        return Callers.zipf(100_000, ZIPF);
    }

    @Override
    public void run(Scale scale, Report report) throws Exception {
        var fleets = new FleetPart(report);
        if (chosen("calibration")) {
            new CalibrationPart(scale, report).run();
        }
        if (chosen("rest")) {
            atRest(scale, report, fleets);
        }
        if (chosen("load")) {
            underLoad(scale, fleets);
        }
        if (chosen("callers")) {
            callers(scale, report);
        }
        if (chosen("locks")) {
            locks(scale, report);
        }
    }

    /** As the system property {@code fleet.parts} lists them, separated by commas. */
    private static boolean chosen(String part) {
        String listed = System.getProperty("fleet.parts", "");
        return listed.isEmpty() || List.of(listed.split(",", -1)).contains(part);
    }

    private static void atRest(Scale scale, Report report, FleetPart fleets) throws Exception {
        FleetSimulation largest = null;
        for (int partitions : scale.choose(List.of(4, 64), List.of(4, 16, 64, 256, MOST_PARTITIONS))) {
            for (int instances : List.of(1, 10, 100)) {
                for (int agents : scale.choose(List.of(1_000), List.of(10, 1_000, MOST_AGENTS))) {
                    if (instances <= partitions) {
                        largest = new FleetSimulation(new Scenario(
                                partitions, instances, agents, Math.min(SERVICES, agents), 0, callers(), 2, 2));
                        fleets.add("rest", largest.run());
                    }
                }
            }
        }
        if (largest != null) {
            heartbeats(report, fleets.last(), HeartbeatCost.nanos(largest.heartbeats()));
        }
    }

    private static void heartbeats(Report report, FleetFigures figures, double nanos) {
        double bytes = figures.bytesPerAgent() / figures.recordsPerAgent();
        report.add(new Series("a heartbeat of a decide task in its batch", "B", bytes));
        report.add(new Series("a heartbeat, decoded and applied by an agent", "ns", nanos));
        report.count("an agent at 1,000 partitions reads, MB/s", bytes * MOST_PARTITIONS / 1e6, Goal.atMost(0.5, 2.1));
        report.ratio("an agent at 1,000 partitions, % of a core without the client", nanos * MOST_PARTITIONS / 1e7);
        report.ratio("partitions × agents that read 1 GB/s", Bound.BROKER_READS.limit() / bytes);
    }

    private static void underLoad(Scale scale, FleetPart fleets) {
        for (int partitions : scale.choose(List.of(4, 64), List.of(4, 16, 64, 256, MOST_PARTITIONS))) {
            for (int instances : scale.choose(List.of(1), List.of(1, 10, 100))) {
                if (instances <= partitions) {
                    fleets.add(
                            "load",
                            new FleetSimulation(new Scenario(
                                            partitions,
                                            instances,
                                            1_000,
                                            SERVICES,
                                            scale.choose(EVENTS_PER_SECOND / 10, EVENTS_PER_SECOND),
                                            callers(),
                                            scale.choose(3, 30),
                                            scale.choose(2, 5)))
                                    .run());
                }
            }
        }
    }

    private static void callers(Scale scale, Report report) {
        for (int partitions : scale.choose(List.of(64), List.of(64, MOST_PARTITIONS))) {
            for (int callers : scale.choose(List.of(10_000), List.of(10_000, 1_000_000, 100_000_000))) {
                sample(scale, report, partitions, callers, "uniform", Callers.uniform(callers));
                Callers zipf =
                        callers > RankedCallers.HEAD ? new RankedCallers(callers, ZIPF) : Callers.zipf(callers, ZIPF);
                sample(scale, report, partitions, callers, "Zipf", zipf);
            }
        }
    }

    private static void sample(
            Scale scale, Report report, int partitions, int callers, String kind, Callers distribution) {
        MeterSample sample = MeterSample.of(new Scenario(
                partitions, 1, 0, 1, partitions * EVENTS_PER_PARTITION, distribution, scale.choose(10, 65), 5));
        String prefix = "%,d callers, %s, %,d partitions: a meter ".formatted(callers, kind, partitions);
        report.add(new Series(prefix + "holds", "subjects", sample.known()));
        report.add(new Series(prefix + "takes of the heap budget", "MiB", sample.heapBytes() / (double) (1 << 20)));
        report.add(new Series(prefix + "writes", "usage records/s", sample.records()));
        report.add(new Series(prefix + "sends", "partials/s", sample.partials()));
        report.add(new Series(prefix + "writes", "usage B/s", sample.bytes()));
    }

    private static void locks(Scale scale, Report report) throws Exception {
        int locks = scale.choose(LOCKS / 10, LOCKS);
        for (boolean own : List.of(false, true)) {
            LockCost cost = LockCost.of(locks, SERVICES, own);
            String prefix =
                    "%,d locks of %d services, %s: ".formatted(locks, SERVICES, own ? "own service" : "any service");
            double records = LockCost.recordsPerSecond(locks);
            report.add(new Series(prefix + "locks held", "locks", cost.held()));
            report.add(new Series(prefix + "heap", "MiB", cost.heapBytes() / (double) (1 << 20)));
            report.add(new Series(prefix + "renewals read", "records/s", records));
            report.add(new Series(prefix + "renewals read", "MB/s", records * cost.recordBytes() / 1e6));
            report.add(new Series(prefix + "decode and apply", "% of a core", records * cost.applyNanos() / 1e7));
            report.add(new Series(prefix + "apply all once", "s", locks * cost.applyNanos() / 1e9));
        }
    }
}
