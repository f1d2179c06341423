package io.sluice.benchmarks.strategies;

import io.sluice.benchmarks.measure.Goal;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Rounds;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.measure.Series;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Latency, throughput and the store's load of all contenders, in turns. */
final class SpeedReport {
    private static final double MICROS = 1e-3;

    private final Report report;
    private final List<QuotaContender> contenders;
    private final Map<String, List<SpeedRun.Figures>> figures = new HashMap<>();

    SpeedReport(Report report, List<QuotaContender> contenders) {
        this.report = report;
        this.contenders = contenders;
    }

    void measure(Scale scale) throws Exception {
        List<Rounds.Contender> all = new ArrayList<>();
        for (QuotaContender contender : contenders) {
            SpeedRun run = new SpeedRun(contender, scale.choose(100, 2_000), scale.choose(200, 4_000));
            all.add(new Rounds.Contender(contender.name(), () -> {
                SpeedRun.Figures taken = run.run();
                figures.computeIfAbsent(contender.name(), missing -> new ArrayList<>())
                        .add(taken);
                return percentile(taken, 50);
            }));
        }
        List<Series> medians = new Rounds(scale.choose(1, 3), System.err::println).measure("µs, p50", all);
        for (Series median : medians) {
            report.add(median);
            add(median.name(), "µs, p99", taken -> percentile(taken, 99));
            add(median.name(), "µs, p99.9", taken -> percentile(taken, 99.9));
            add(median.name(), "permits/s", SpeedRun.Figures::permitsPerSecond);
            add(median.name(), "remote calls per permit", SpeedRun.Figures::callsPerPermit);
            add(median.name(), "µs of the store's CPU per permit", SpeedRun.Figures::cpuMicros);
        }
        ratios(medians);
    }

    private void add(String name, String unit, ToDoubleFunction<SpeedRun.Figures> figure) {
        report.add(series(name, unit, figure));
    }

    private Series series(String name, String unit, ToDoubleFunction<SpeedRun.Figures> figure) {
        return new Series(
                name,
                unit,
                figures.getOrDefault(name, List.of()).stream()
                        .mapToDouble(figure)
                        .toArray());
    }

    private static double percentile(SpeedRun.Figures taken, double percentile) {
        return taken.latency().getValueAtPercentile(percentile) * MICROS;
    }

    private void ratios(List<Series> medians) {
        for (String[] pair : new String[][] {
            {"redis, token bucket", "Bucket4j, Redis"},
            {"sql", "Bucket4j, PostgreSQL"}
        }) {
            report.ratio(
                    pair[0] + " over " + pair[1] + ": p50",
                    named(medians, pair[0]).over(named(medians, pair[1])),
                    Goal.atMost(1, 1.5));
            report.ratio(
                    pair[0] + " over " + pair[1] + ": permits/s",
                    rate(pair[0]).over(rate(pair[1])),
                    Goal.atLeast(1, 0.8));
        }
        report.ratio(
                "redis-chunks over redis, token bucket: permits/s",
                rate("redis-chunks").over(rate("redis, token bucket")));
        double unanswered = figures.values().stream()
                .flatMap(List::stream)
                .mapToDouble(SpeedRun.Figures::unanswered)
                .max()
                .orElse(0);
        // such requests were not counted by the store: more of them would make a strategy look fast
        report.ratio("requests that a store did not answer, the most of any", unanswered, Goal.atMost(0.001, 0.01));
    }

    private Series rate(String name) {
        return series(name, "permits/s", SpeedRun.Figures::permitsPerSecond);
    }

    private static Series named(List<Series> all, String name) {
        return all.stream()
                .filter(series -> series.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
