package io.sluice.benchmarks.growth;

import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.workload.AnalyzerRun;
import io.sluice.benchmarks.workload.JavaOptions;
import io.sluice.benchmarks.workload.PacedLog;
import java.time.Duration;
import java.util.Map;

/**
 * One place on one axis.
 *
 * @param log what is read; ours has as many partitions
 */
record Point(String name, PacedLog log, String policies) {

    Map<String, Double> measure(Scale scale, String bootstrapServers) throws Exception {
        AnalyzerRun run = AnalyzerRun.of(bootstrapServers, log.topic(), policies)
                .withPartitions(log.partitions())
                .withJavaOptions(JavaOptions.of(scale));
        // a quick run has hardly any events; most of the warm-up is the compiler's
        Map<String, Double> figures = scale.choose(
                        run.withTimes(Duration.ofMillis(1_500), Duration.ofSeconds(2)),
                        run.withEvents(log.events() / 2, log.events() / 3))
                .measure();
        require(figures, "deadLetters", 0, 0);
        require(figures, "late", 0, 0);
        require(figures, "usageRecords", 1, Double.MAX_VALUE);
        return figures;
    }

    private void require(Map<String, Double> figures, String name, double least, double most) {
        double found = figures.getOrDefault(name, Double.NaN);
        if (!(found >= least && found <= most)) {
            throw new IllegalStateException(
                    "%s did not do its work: %s is %s of %s".formatted(this.name, name, found, figures));
        }
    }
}
