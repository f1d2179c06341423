package io.sluice.benchmarks.growth;

import io.sluice.benchmarks.measure.Benchmark;
import io.sluice.benchmarks.measure.Goal;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Rounds;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.measure.Series;
import io.sluice.benchmarks.workload.BenchmarkBroker;
import io.sluice.benchmarks.workload.Callers;
import io.sluice.benchmarks.workload.PacedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Nearly all requests from one caller, in a log without keys, against an even load. */
public final class HotBenchmark implements Benchmark {
    private static final String HOT = "a hot caller";
    private static final double SHARE = 0.95;
    private static final int CALLERS = 100_000;
    private static final int PARTITIONS = 4;
    private static final long SPAN = 120_000;

    @Override
    public String name() {
        return "hot";
    }

    @Override
    public String purpose() {
        return "one caller that makes 95 of 100 requests, beside an even load";
    }

    @Override
    public void run(Scale scale, Report report) throws Exception {
        long events = scale.choose(800_000L, 8_000_000L);
        String policies = GrowingPolicies.one("1m", 50, 60_000);
        Callers even = Callers.zipf(CALLERS, 1.1);
        List<Point> points = List.of(
                new Point("even load", new PacedLog("even", PARTITIONS, events, SPAN, 1, even), policies),
                new Point(HOT, new PacedLog("hot", PARTITIONS, events, SPAN, 1, Callers.hot(SHARE, even)), policies));
        List<Double> usage = new ArrayList<>();
        try (BenchmarkBroker broker = BenchmarkBroker.start()) {
            List<Rounds.Contender> contenders = new ArrayList<>();
            for (Point point : points) {
                point.log().write(broker.bootstrapServers());
                contenders.add(new Rounds.Contender(point.name(), () -> {
                    Map<String, Double> figures = point.measure(scale, broker.bootstrapServers());
                    System.err.println("  " + figures);
                    if (point.name().equals(HOT)) {
                        usage.add(figures.getOrDefault("usageRecords", Double.NaN)
                                / figures.getOrDefault("eventsRead", Double.NaN));
                    }
                    return figures.getOrDefault("eventsPerSecond", Double.NaN);
                }));
            }
            List<Series> rates = new Rounds(scale.choose(1, 3), System.err::println).measure("events/s", contenders);
            Series records = new Series(HOT, "usage records an event", usage);
            report.add(rates);
            report.add(records);
            report.ratio("a hot caller over an even load", rates.get(1).over(rates.get(0)), Goal.atLeast(0.95, 0.6));
            report.count("usage records over events", records.median(), Goal.atMost(0.02, 0.08));
        }
    }
}
