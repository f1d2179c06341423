package io.sluice.benchmarks.scaling;

import io.sluice.benchmarks.Child;
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
    /** A heap for each of two, on the machine that holds one of the size that is usual here. */
    List<String> JAVA_OPTIONS = JavaOptions.SERVER;

    Duration PATIENCE = Duration.ofMinutes(2);

    /** A name that no fleet has had. */
    static String fleet() {
        return "fleet-" + UUID.randomUUID() + ".";
    }

    Map<String, Double> run(String fleet, String instance, int threads) throws Exception;

    /** Ours, with the policies that an operator begins with. */
    static Contender ours(String bootstrapServers, String topic, int partitions, Duration warmUp, Duration span) {
        return (fleet, instance, threads) -> AnalyzerRun.of(bootstrapServers, topic, Policies.FIVE)
                .withThreads(threads)
                .withPartitions(partitions)
                .withFleet(fleet, instance)
                .withTimes(warmUp, span)
                .measure();
    }

    static Contender empty(String bootstrapServers, String topic, Duration warmUp, Duration span) {
        return (fleet, instance, threads) -> {
            try (TemporaryFolder state = new TemporaryFolder()) {
                return Child.run(
                        EmptyChild.class,
                        JAVA_OPTIONS,
                        List.of(
                                bootstrapServers,
                                topic,
                                fleet + "empty",
                                instance,
                                Integer.toString(threads),
                                Long.toString(warmUp.toMillis()),
                                Long.toString(span.toMillis()),
                                state.path().toString()),
                        PATIENCE);
            }
        };
    }
}
