package io.sluice.benchmarks.analyzer;

import io.sluice.benchmarks.measure.Benchmark;
import io.sluice.benchmarks.measure.Child;
import io.sluice.benchmarks.measure.Goal;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Rounds;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.measure.Series;
import io.sluice.benchmarks.workload.AnalyzerRun;
import io.sluice.benchmarks.workload.BenchmarkBroker;
import io.sluice.benchmarks.workload.Callers;
import io.sluice.benchmarks.workload.EventLog;
import io.sluice.benchmarks.workload.JavaOptions;
import io.sluice.benchmarks.workload.Policies;
import io.sluice.benchmarks.workload.TemporaryFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** CPU seconds for a million events: ours with five policies, what users would write instead, and the floor. */
public final class AnalyzerBenchmark implements Benchmark {
    private static final String UNIT = "CPU s per million events";
    private static final String FIVE = "ours, five policies";
    private static final int PARTITIONS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Peers stop when their time is up; ours has to come to the end of its log, with all that it has begun. */
    private static final Duration LONGEST = Duration.ofMinutes(2);

    @Override
    public String name() {
        return "analyzer";
    }

    @Override
    public String purpose() {
        return "what an event costs the analyzer, beside windows of Kafka Streams and a bare consumer";
    }

    @Override
    public void run(Scale scale, Report report) throws Exception {
        try (BenchmarkBroker broker = BenchmarkBroker.start()) {
            // after half a minute the JIT compiler has little left to do
            new Bench(scale, report, broker.bootstrapServers(), Duration.ofSeconds(scale.choose(2, 30))).zipf();
            // more events than these do not fit beside each other into the heap of the meters: docs/performance.md
            new Bench(scale, report, broker.bootstrapServers(), Duration.ofSeconds(scale.choose(1, 5))).uniform();
        }
    }

    private static final class Bench {
        private final Scale scale;
        private final Report report;
        private final String broker;
        private final Duration warmUp;
        private final Duration span;
        private final Map<String, List<Double>> speeds = new HashMap<>();
        private final Map<String, List<Double>> compiling = new HashMap<>();

        Bench(Scale scale, Report report, String broker, Duration warmUp) {
            this.scale = scale;
            this.report = report;
            this.broker = broker;
            this.warmUp = warmUp;
            span = Duration.ofSeconds(scale.choose(2, 10));
        }

        void zipf() throws Exception {
            EventLog log = log("zipf", scale.choose(1_500_000L, 32_000_000L), 1, Callers.zipf(100_000, 1.1));
            EventLog whole = log("zipf-whole", scale.choose(600_000L, 20_000_000L), 1, log.callers());
            List<Rounds.Contender> contenders = new ArrayList<>(List.of(
                    ours(FIVE, whole, Policies.FIVE, true),
                    peer(log, Peer.FLOOR),
                    peer(log, Peer.HOPPING),
                    peer(log, Peer.TUMBLING),
                    peer(log, Peer.GET_PUT),
                    peer(log, Peer.EMPTY)));
            if (scale == Scale.FULL) {
                // it does what the peers do: counts one thing
                contenders.add(ours("ours, one policy", log, Policies.requests("1m", 60, 30_000), true));
            }
            List<Series> found = measure("zipf: ", contenders);
            Series five = found.get(0);
            report.ratio("five policies over the floor", five.over(found.get(1)), Goal.atMost(4, 150));
            report.ratio("five policies over DSL hopping", five.over(found.get(2)), Goal.atMost(1 / 5.0, 5));
            if (scale == Scale.FULL) {
                Series one = found.get(6);
                report.ratio("one policy over the floor", one.over(found.get(1)), Goal.atMost(3, 100));
                report.ratio("one policy over DSL tumbling", one.over(found.get(3)), Goal.atMost(0.6, 5));
                report.ratio("one policy over get and put", one.over(found.get(4)), Goal.atMost(0.6, 5));
            }
        }

        void uniform() throws Exception {
            EventLog log = log("uniform", scale.choose(600_000L, 3_000_000L), 2, Callers.uniform(1_000_000));
            EventLog whole = log("uniform-whole", scale.choose(400_000L, 3_000_000L), 2, log.callers());
            List<Series> found =
                    measure("uniform: ", List.of(ours(FIVE, whole, Policies.FIVE, false), peer(log, Peer.GET_PUT)));
            report.ratio(
                    "1M uniform callers: five policies over get and put",
                    found.get(0).over(found.get(1)),
                    Goal.atMost(1 / 2.5, 30));
        }

        private EventLog log(String topic, long events, long seed, Callers callers) throws Exception {
            EventLog log = new EventLog(topic, PARTITIONS, events, true, seed, callers);
            log.write(broker);
            return log;
        }

        private List<Series> measure(String prefix, List<Rounds.Contender> contenders) throws Exception {
            List<Series> found =
                    new Rounds(scale.choose(1, 3), line -> System.err.println(prefix + line)).measure(UNIT, contenders);
            for (Series series : found) {
                report.add(new Series(prefix + series.name(), UNIT, series.samples()));
                report.add(
                        new Series(prefix + series.name(), "events/s", speeds.getOrDefault(series.name(), List.of())));
                report.add(new Series(
                        prefix + series.name(),
                        "of it the JVM's compiler",
                        compiling.getOrDefault(series.name(), List.of())));
            }
            return found;
        }

        private double told(String name, Map<String, Double> figures) {
            System.err.println("  " + figures);
            speeds.computeIfAbsent(name, missing -> new ArrayList<>())
                    .add(figures.getOrDefault("eventsPerSecond", Double.NaN));
            compiling
                    .computeIfAbsent(name, missing -> new ArrayList<>())
                    .add(figures.getOrDefault("compilerCpuSecondsPerMillion", Double.NaN));
            return figures.getOrDefault("cpuSecondsPerMillion", Double.NaN);
        }

        private Rounds.Contender peer(EventLog log, Peer peer) {
            return new Rounds.Contender(peer.title(), () -> {
                try (TemporaryFolder state = new TemporaryFolder()) {
                    return told(
                            peer.title(),
                            Child.run(
                                    PeerChild.class,
                                    JavaOptions.of(scale),
                                    List.of(
                                            peer.name(),
                                            broker,
                                            log.topic(),
                                            Long.toString(warmUp.toMillis()),
                                            Long.toString(span.toMillis()),
                                            state.path().toString()),
                                    PATIENCE));
                }
            });
        }

        private Rounds.Contender ours(String name, EventLog log, String policies, boolean noisy) {
            AnalyzerRun run = AnalyzerRun.of(broker, log.topic(), policies)
                    .withTimes(warmUp, LONGEST)
                    .withJavaOptions(JavaOptions.of(scale));
            return new Rounds.Contender(name, () -> {
                Map<String, Double> figures = run.measure();
                expect(figures, "ended", 1, 1);
                expect(figures, "deadLetters", 0, 0);
                expect(figures, "late", 0, 0);
                expect(figures, "usageRecords", 1, Double.MAX_VALUE);
                if (noisy) {
                    expect(figures, "opened", 1, Double.MAX_VALUE);
                }
                return told(name, figures);
            });
        }

        private static void expect(Map<String, Double> figures, String name, double least, double most) {
            double found = figures.getOrDefault(name, Double.NaN);
            if (!(found >= least && found <= most)) {
                throw new IllegalStateException(
                        "it did not do its work: %s is %s of %s".formatted(name, found, figures));
            }
        }
    }
}
