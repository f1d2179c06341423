package io.sluice.benchmarks.recovery;

import io.sluice.benchmarks.measure.Child;
import io.sluice.benchmarks.measure.Goal;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Rounds;
import io.sluice.benchmarks.measure.Rounds.Contender;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.measure.Series;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.topic.TopicNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** From the start of a process to an agent that knows a million locks, against reading their bytes. */
final class AgentStart {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String GATE_LOCKS = new TopicNames(Fleet.PREFIX).gateLocks();

    private final String bootstrapServers;

    AgentStart(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
    }

    void run(Scale scale, PolicySet policies, Report report) throws Exception {
        int locks = scale.choose(200_000, 1_000_000);
        List<Series> series;
        try (Fleet fleet = Fleet.open(bootstrapServers)) {
            fleet.begin(policies, locks);
            series = new Rounds(scale.choose(1, 5), System.err::println)
                    .measure(
                            "s",
                            List.of(
                                    new Contender("bare consumer, the locks' bytes", this::read),
                                    new Contender("agent, from process start to FRESH", () -> start(locks))));
        }
        report.add(series);
        report.ratio("agent start over bare reading", series.get(1).over(series.get(0)), Goal.atMost(2, 8));
    }

    private double read() throws Exception {
        return seconds(Child.run(ReaderChild.class, List.of(), List.of(bootstrapServers, GATE_LOCKS), PATIENCE));
    }

    private double start(int locks) throws Exception {
        return seconds(
                Child.run(AgentChild.class, List.of(), List.of(bootstrapServers, Integer.toString(locks)), PATIENCE));
    }

    private static double seconds(Map<String, Double> figures) {
        return figures.getOrDefault("seconds", Double.NaN);
    }
}
