package io.sluice.benchmarks.workload;

import io.sluice.benchmarks.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One run of our analyzer in a JVM of its own, over a log from its beginning: what another run is to have else is said by
 * the {@code with} methods. Both stages run in that process; the span ends when everything read is committed by both, or
 * when its time is up.
 *
 * @param topic the access log
 * @param policies as in a policy file
 * @param threads stream threads
 * @param partitions of our own topics
 * @param commitMillis and {@code tickMillis}: as in the settings
 * @param prefix of our own topics; runs of one prefix are one fleet, and each runner takes part of the log
 * @param instance unique in its fleet
 * @param warmUp from the first event; not measured
 * @param span the longest that is measured; a log should end before
 * @param javaOptions of the JVM
 */
public record AnalyzerRun(
        String bootstrapServers,
        String topic,
        String policies,
        int threads,
        int partitions,
        long commitMillis,
        long tickMillis,
        String prefix,
        String instance,
        Duration warmUp,
        Duration span,
        List<String> javaOptions) {
    private static final Duration SLACK = Duration.ofMinutes(2);

    public AnalyzerRun {
        javaOptions = List.copyOf(javaOptions);
    }

    /** Over this log with these policies, as the analyzer is when nobody configures it. */
    public static AnalyzerRun of(String bootstrapServers, String topic, String policies) {
        return new AnalyzerRun(
                bootstrapServers,
                topic,
                policies,
                1,
                4,
                200,
                5,
                "",
                "one",
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                JavaOptions.SERVER);
    }

    public AnalyzerRun withThreads(int other) {
        return new AnalyzerRun(
                bootstrapServers,
                topic,
                policies,
                other,
                partitions,
                commitMillis,
                tickMillis,
                prefix,
                instance,
                warmUp,
                span,
                javaOptions);
    }

    public AnalyzerRun withPartitions(int other) {
        return new AnalyzerRun(
                bootstrapServers,
                topic,
                policies,
                threads,
                other,
                commitMillis,
                tickMillis,
                prefix,
                instance,
                warmUp,
                span,
                javaOptions);
    }

    /** Takes part in a fleet with others of this prefix; unsaid, a run is a fleet of its own. */
    public AnalyzerRun withFleet(String otherPrefix, String otherInstance) {
        return new AnalyzerRun(
                bootstrapServers,
                topic,
                policies,
                threads,
                partitions,
                commitMillis,
                tickMillis,
                otherPrefix,
                otherInstance,
                warmUp,
                span,
                javaOptions);
    }

    public AnalyzerRun withTimes(Duration otherWarmUp, Duration otherSpan) {
        return new AnalyzerRun(
                bootstrapServers,
                topic,
                policies,
                threads,
                partitions,
                commitMillis,
                tickMillis,
                prefix,
                instance,
                otherWarmUp,
                otherSpan,
                javaOptions);
    }

    public AnalyzerRun withJavaOptions(List<String> others) {
        return new AnalyzerRun(
                bootstrapServers,
                topic,
                policies,
                threads,
                partitions,
                commitMillis,
                tickMillis,
                prefix,
                instance,
                warmUp,
                span,
                others);
    }

    /**
     * Runs it, and deletes its topics if it was a fleet of its own.
     *
     * @return {@code eventsPerSecond}, {@code cpuSecondsPerMillion}, {@code events}, {@code gcMillis} of the span;
     *     {@code ended} (1 when all that there was was read and committed), {@code eventsRead}, {@code usageRecords}, {@code usageLag},
     *     {@code opened}, {@code silenced}, {@code late} and {@code deadLetters} of the whole run
     */
    public Map<String, Double> measure() throws IOException, InterruptedException {
        try (TemporaryFolder folder = new TemporaryFolder()) {
            Path file = Files.writeString(folder.path().resolve("policies.yml"), policies);
            boolean own = prefix.isEmpty();
            List<String> arguments = new ArrayList<>(List.of(
                    "bootstrap=" + bootstrapServers,
                    "topic=" + topic,
                    "policies=" + file,
                    "threads=" + threads,
                    "partitions=" + partitions,
                    "commit=" + commitMillis,
                    "tick=" + tickMillis,
                    "prefix=" + (own ? "run-" + UUID.randomUUID() + "." : prefix),
                    "instance=" + instance,
                    "warmUp=" + warmUp.toMillis(),
                    "span=" + span.toMillis(),
                    "state=" + folder.path().resolve("state"),
                    "tidy=" + own));
            return Child.run(
                    AnalyzerChild.class,
                    javaOptions,
                    arguments,
                    warmUp.plus(span).plus(SLACK));
        }
    }
}
