package io.sluice.benchmarks.workload;

import io.sluice.benchmarks.measure.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One run of our analyzer in a JVM of its own, over a log from its beginning: what another run is to have else is said by
 * the {@code with} methods. Both stages run in that process; the span ends when everything read is committed by both, or
 * when its time is up. Immutable.
 */
public final class AnalyzerRun {
    private static final Duration SLACK = Duration.ofMinutes(2);
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final Duration SPAN = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final String policies;
    private final Map<String, String> arguments;
    private final Duration longest;
    private final List<String> javaOptions;

    private AnalyzerRun(String policies, Map<String, String> arguments, Duration longest, List<String> javaOptions) {
        this.policies = policies;
        this.arguments = Map.copyOf(arguments);
        this.longest = longest;
        this.javaOptions = List.copyOf(javaOptions);
    }

    /**
     * Over this log with these policies, with the analyzer's default settings.
     *
     * @param policies as in a policy file
     */
    public static AnalyzerRun of(String bootstrapServers, String topic, String policies) {
        Map<String, String> arguments = Map.of(
                "bootstrap", bootstrapServers,
                "topic", topic,
                "threads", "1",
                "partitions", "4",
                "commit", "200",
                "tick", "5",
                "instance", "one");
        return new AnalyzerRun(policies, arguments, Duration.ZERO, JavaOptions.SERVER).withTimes(WARM_UP, SPAN);
    }

    public AnalyzerRun withThreads(int threads) {
        return with(Map.of("threads", Integer.toString(threads)));
    }

    /** So many partitions of our own topics. */
    public AnalyzerRun withPartitions(int partitions) {
        return with(Map.of("partitions", Integer.toString(partitions)));
    }

    /**
     * Takes part in a fleet, of which each runner takes part of the log; unsaid, a run is a fleet of its own.
     *
     * @param prefix of our own topics: runs of one prefix are one fleet
     * @param instance unique in its fleet
     */
    public AnalyzerRun withFleet(String prefix, String instance) {
        return with(Map.of("prefix", prefix, "instance", instance));
    }

    /**
     * @param warmUp from the first event; not measured
     * @param span the longest that is measured; a log should end before
     */
    public AnalyzerRun withTimes(Duration warmUp, Duration span) {
        return new AnalyzerRun(policies, arguments, warmUp.plus(span).plus(SLACK), javaOptions)
                .with(Map.of("warmUp", Long.toString(warmUp.toMillis()), "span", Long.toString(span.toMillis())));
    }

    /**
     * So many events are measured, after so many others: how much of the compiler's work falls into them depends little on how fast the machine is.
     *
     * @param warmUp not measured
     * @param events measured; a log should have some more, so that its end is not among them
     */
    public AnalyzerRun withEvents(long warmUp, long events) {
        return new AnalyzerRun(policies, arguments, LONGEST.plus(SLACK), javaOptions)
                .with(Map.of(
                        "warmUp", "0",
                        "warmUpEvents", Long.toString(warmUp),
                        "events", Long.toString(events),
                        "span", Long.toString(LONGEST.toMillis())));
    }

    /** Options of the JVM. */
    public AnalyzerRun withJavaOptions(List<String> others) {
        return new AnalyzerRun(policies, arguments, longest, others);
    }

    private AnalyzerRun with(Map<String, String> others) {
        Map<String, String> all = new HashMap<>(arguments);
        all.putAll(others);
        return new AnalyzerRun(policies, all, longest, javaOptions);
    }

    /**
     * Runs it, and deletes its topics if it was a fleet of its own.
     *
     * @return {@code eventsPerSecond}, {@code cpuSecondsPerMillion}, {@code events}, {@code gcMillis} of the span;
     *     {@code ended} (1 when all that there was was read and committed), {@code eventsRead}, {@code usageRecords}, {@code usageLag}, {@code partials},
     *     {@code opened}, {@code silenced}, {@code late} and {@code deadLetters} of the whole run
     */
    public Map<String, Double> measure() throws IOException, InterruptedException {
        try (TemporaryFolder folder = new TemporaryFolder()) {
            Path file = Files.writeString(folder.path().resolve("policies.yml"), policies);
            boolean own = !arguments.containsKey("prefix");
            Map<String, String> all = new HashMap<>(arguments);
            all.putIfAbsent("prefix", "run-" + UUID.randomUUID() + ".");
            all.put("policies", file.toString());
            all.put("state", folder.path().resolve("state").toString());
            all.put("tidy", Boolean.toString(own));
            List<String> pairs = all.entrySet().stream()
                    .map(pair -> pair.getKey() + "=" + pair.getValue())
                    .toList();
            return Child.run(AnalyzerChild.class, javaOptions, pairs, longest);
        }
    }
}
