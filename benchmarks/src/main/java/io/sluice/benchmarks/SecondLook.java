package io.sluice.benchmarks;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Measures, and once more when a short run says that a ratio went wild: what broke says so twice, and what else the
 * machine did in those seconds does not.
 */
final class SecondLook {
    private final Scale scale;
    private final Consumer<String> progress;
    private final Printer printer;

    /**
     * @param progress hears why something is measured again
     * @param printer is given every report, the second in place of the first
     */
    SecondLook(Scale scale, Consumer<String> progress, Printer printer) {
        this.scale = scale;
        this.progress = progress;
        this.printer = printer;
    }

    /** Where a finished report goes. */
    interface Printer {
        void print(Report report) throws Exception;
    }

    /** Measures; what it returns lies beyond its guard band, and did so each time it was measured. */
    List<Report.Ratio> beyond(Benchmark benchmark) throws Exception {
        List<Report.Ratio> first = measured(benchmark);
        if (first.isEmpty() || scale == Scale.FULL) {
            return first;
        }
        first.forEach(ratio -> progress.accept("%s is %s: beyond its guard band, so %s is measured once more"
                .formatted(ratio.name(), Numbers.text(ratio.value()), benchmark.name())));
        Set<String> suspects = first.stream().map(Report.Ratio::name).collect(Collectors.toSet());
        return measured(benchmark).stream()
                .filter(ratio -> suspects.contains(ratio.name()))
                .toList();
    }

    private List<Report.Ratio> measured(Benchmark benchmark) throws Exception {
        Report report = new Report(benchmark.name());
        benchmark.run(scale, report);
        printer.print(report);
        return report.beyond();
    }
}
