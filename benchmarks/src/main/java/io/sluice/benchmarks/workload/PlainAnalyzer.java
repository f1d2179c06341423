package io.sluice.benchmarks.workload;

import io.sluice.analyzer.run.AnalyzerOptions;
import io.sluice.contract.policy.PolicySet;
import io.sluice.settings.AnalyzerSettings;
import io.sluice.settings.SourceSettings;
import io.sluice.settings.TopicSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The only analyzer of a fleet, with the default settings, which reads the agents' own log. */
public final class PlainAnalyzer {
    public static final long TICK_MILLIS = 5;
    public static final long COMMIT_MILLIS = 200;

    private PlainAnalyzer() {}

    /**
     * Returns its options.
     *
     * @param prefix of its topics, which it creates
     * @param state a directory
     * @param partitions of each of its topics
     */
    public static AnalyzerOptions options(
            String bootstrapServers, String prefix, Path state, int partitions, int threads, PolicySet policies) {
        SourceSettings source = new SourceSettings(
                prefix + "requests", "json", List.of(), null, null, Set.of(429), Map.of(), Map.of(), List.of());
        AnalyzerSettings analyzer = new AnalyzerSettings(
                "one",
                state,
                threads,
                0,
                false,
                TICK_MILLIS,
                COMMIT_MILLIS,
                60_000,
                5_000,
                30_000,
                TimeUnit.MINUTES.toMillis(10),
                128 << 20);
        return new AnalyzerOptions(
                Map.of("bootstrap.servers", bootstrapServers),
                new TopicSettings(prefix, partitions, (short) -1, true),
                true,
                List.of(source),
                analyzer,
                policies);
    }
}
