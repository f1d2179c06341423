package io.sluice.benchmarks.growth;

import io.sluice.benchmarks.measure.Benchmark;
import io.sluice.benchmarks.measure.Goal;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Rounds;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.measure.Series;
import io.sluice.benchmarks.workload.BenchmarkBroker;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** CPU seconds for a million events along each axis on which an installation grows. */
public final class GrowthBenchmark implements Benchmark {
    private static final String UNIT = "CPU s per million events";

    @Override
    public String name() {
        return "growth";
    }

    @Override
    public String purpose() {
        return "what an event costs as windows, panes, callers, policies and partitions grow";
    }

    @Override
    public void run(Scale scale, Report report) throws Exception {
        Axes axes = new Axes(scale);
        Map<String, Series> costs = measure(axes.all(), scale, report);
        ratio(report, "windows", at(costs, axes.windows()), Goal.atMost(1.3, 4));
        ratio(report, "windows, filled", at(costs, axes.filled()), Goal.atMost(1.3, 4));
        ratio(report, "panes", at(costs, axes.panes()), Goal.atMost(2, 6));
        ratio(report, "callers", at(costs, axes.callers()), Goal.atMost(2, 9));
        ratio(report, "partitions", at(costs, axes.partitions()), Goal.atMost(1.3, 5));
        Series one = at(costs, List.of(axes.base())).get(0);
        policies(report, "each further policy that counts everything", one, at(costs, axes.counting()), 1);
        policies(report, "each further policy for a route", one, at(costs, axes.forRoutes()), 0.5);
    }

    private static void ratio(Report report, String axis, List<Series> points, Goal goal) {
        if (points.size() > 1) {
            report.ratio(axis + ": dearest over cheapest", Growing.dearestOverCheapest(points), goal);
        }
    }

    private static void policies(Report report, String name, Series one, List<Series> most, double guard) {
        if (!most.isEmpty()) {
            Series last = most.get(most.size() - 1);
            report.ratio(name, Growing.eachFurther(one, last, Axes.MOST_POLICIES), Goal.atMost(0.05, guard));
        }
    }

    private static List<Series> at(Map<String, Series> costs, List<Point> points) {
        return points.stream().map(point -> costs.get(point.name())).toList();
    }

    private static Map<String, Series> measure(List<Point> points, Scale scale, Report report) throws Exception {
        Map<String, Map<String, List<Double>>> told = new TreeMap<>();
        try (BenchmarkBroker broker = BenchmarkBroker.start()) {
            write(points, broker.bootstrapServers());
            List<Rounds.Contender> contenders = points.stream()
                    .map(point -> new Rounds.Contender(point.name(), () -> {
                        Map<String, Double> figures = point.measure(scale, broker.bootstrapServers());
                        System.err.println("  " + figures);
                        Map<String, List<Double>> kept = told.computeIfAbsent(point.name(), any -> new TreeMap<>());
                        figures.forEach((name, value) -> kept.computeIfAbsent(name, any -> new ArrayList<>())
                                .add(value));
                        return figures.getOrDefault("cpuSecondsPerMillion", Double.NaN);
                    }))
                    .toList();
            List<Series> costs = new Rounds(scale.choose(1, 3), System.err::println).measure(UNIT, contenders);
            Map<String, Series> byName = new TreeMap<>();
            for (Series cost : costs) {
                report.add(cost);
                tell(report, cost.name(), told.getOrDefault(cost.name(), Map.of()));
                byName.put(cost.name(), cost);
            }
            return byName;
        }
    }

    private static void tell(Report report, String name, Map<String, List<Double>> told) {
        Stream.of(Map.entry("eventsPerSecond", "events/s"), Map.entry("peakMebibytes", "MiB, the most ever held"))
                .filter(figure -> told.containsKey(figure.getKey()))
                .forEach(figure ->
                        report.add(new Series(name, figure.getValue(), told.getOrDefault(figure.getKey(), List.of()))));
    }

    private static void write(List<Point> points, String bootstrapServers) throws Exception {
        Set<String> written = new HashSet<>();
        for (Point point : points) {
            if (written.add(point.log().topic())) {
                System.err.println("writing " + point.log().topic());
                point.log().write(bootstrapServers);
            }
        }
    }
}
