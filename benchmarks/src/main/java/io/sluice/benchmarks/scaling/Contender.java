package io.sluice.benchmarks.scaling;

import io.sluice.benchmarks.measure.Child;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.workload.AnalyzerRun;
import io.sluice.benchmarks.workload.JavaOptions;
import io.sluice.benchmarks.workload.Policies;
import io.sluice.benchmarks.workload.TemporaryFolder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** One process of a fleet. */
interface Contender {
    Duration PATIENCE = Duration.ofMinutes(2);

    /** A name that no fleet has had. */
    static String fleet() {
        return "fleet-" + UUID.randomUUID() + ".";
    }

    Map<String, Double> run(String fleet, String instance, int threads) throws Exception;

    /** Ours, with the policies that an operator begins with; a quick look's is one, whose code is soon compiled. */
    static Contender ours(Scale scale, String bootstrapServers, String topic, int partitions) {
        return (fleet, instance, threads) -> AnalyzerRun.of(
                        bootstrapServers, topic, scale.choose(Policies.requests("1m", 60, 30_000), Policies.FIVE))
                .withThreads(threads)
                .withPartitions(partitions)
                .withFleet(fleet, instance)
                .withTimes(Duration.ofSeconds(scale.choose(2, 20)), Duration.ofSeconds(scale.choose(2, 12)))
                .withJavaOptions(JavaOptions.of(scale))
                .measure();
    }

    private static Duration span(Scale scale) {
        return Duration.ofMillis(scale.choose(2_000, 8_000));
    }

    static Contender empty(Scale scale, String bootstrapServers, String topic) {
        return (fleet, instance, threads) -> {
            try (TemporaryFolder state = new TemporaryFolder()) {
                return Child.run(
                        EmptyChild.class,
                        JavaOptions.of(scale),
                        List.of(
                                bootstrapServers,
                                topic,
                                fleet + "empty",
                                instance,
                                Integer.toString(threads),
                                Integer.toString(scale.choose(1_500, 3_000)),
                                Long.toString(span(scale).toMillis()),
                                state.path().toString()),
                        PATIENCE);
            }
        };
    }
}
