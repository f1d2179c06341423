package io.sluice.benchmarks.measure;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** A report for people: the series with median and spread, then the ratios with their goals. */
public final class ReportText {

    private ReportText() {}

    public static void print(Report report, PrintStream out) {
        out.printf("%n%s: %s%n%n", report.benchmark(), Machine.describe());
        int width = width(report);
        String line = "  %-" + width + "s  %12s  %-24s  %s%n";
        out.printf(line, "measured", "median", "least … most", "unit");
        for (Series series : report.results()) {
            out.printf(line, series.name(), Numbers.text(series.median()), spread(series), series.unit());
        }
        if (report.ratios().isEmpty()) {
            return;
        }
        out.println();
        out.printf(line, "ratio", "value", "goal", "");
        for (Report.Ratio ratio : report.ratios()) {
            Goal goal = ratio.goal();
            out.printf(
                    line,
                    ratio.name(),
                    Numbers.text(ratio.value()),
                    goal == null ? "" : goal.toString(),
                    goal == null ? "" : word(report, ratio, goal));
        }
    }

    private static String word(Report report, Report.Ratio ratio, Goal goal) {
        if (report.isBeyond(ratio)) {
            return "BEYOND THE GUARD BAND OF " + Numbers.text(goal.guard());
        }
        return goal.of(ratio.value()) == Goal.Outcome.MET ? "met" : "missed";
    }

    private static String spread(Series series) {
        return series.samples().size() == 1
                ? "one sample"
                : Numbers.text(series.least()) + " … " + Numbers.text(series.most());
    }

    private static int width(Report report) {
        List<String> names = new ArrayList<>();
        report.results().forEach(series -> names.add(series.name()));
        report.ratios().forEach(ratio -> names.add(ratio.name()));
        return Math.max(20, names.stream().mapToInt(String::length).max().orElse(0));
    }
}
