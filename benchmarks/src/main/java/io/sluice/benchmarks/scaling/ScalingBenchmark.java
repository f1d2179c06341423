package io.sluice.benchmarks.scaling;

import io.sluice.benchmarks.measure.Benchmark;
import io.sluice.benchmarks.measure.Goal;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Rounds;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.measure.Series;
import io.sluice.benchmarks.workload.BenchmarkBroker;
import io.sluice.benchmarks.workload.Callers;
import io.sluice.benchmarks.workload.EventLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Two threads and two instances against one, beside the same of Kafka Streams with nothing to do. */
public final class ScalingBenchmark implements Benchmark {
    private static final int PARTITIONS = 4;

    @Override
    public String name() {
        return "scaling";
    }

    @Override
    public String purpose() {
        return "what two threads and two instances do, beside an empty topology's";
    }

    @Override
    public void run(Scale scale, Report report) throws Exception {
        // instances that start together share the work from the first event on
        try (BenchmarkBroker broker = BenchmarkBroker.start(Map.of("group.initial.rebalance.delay.ms", "1500"))) {
            // few callers are combined well at any speed; of many, who is slow combines less, and stays slow
            Callers callers = Callers.zipf(scale.choose(1_000, 100_000), 1.1);
            EventLog log = new EventLog("scaling", PARTITIONS, scale.choose(2_000_000L, 8_000_000L), false, 1, callers);
            log.write(broker.bootstrapServers());
            new Bench(scale, report, broker.bootstrapServers(), log).measure();
        }
    }

    private record Bench(Scale scale, Report report, String broker, EventLog log, Map<String, List<Double>> costs) {
        Bench(Scale scale, Report report, String broker, EventLog log) {
            this(scale, report, broker, log, new HashMap<>());
        }

        void measure() throws Exception {
            Contender ours = Contender.ours(scale, broker, log.topic(), log.partitions());
            Contender empty = Contender.empty(scale, broker, log.topic());
            List<Rounds.Contender> all = new ArrayList<>();
            for (int instances : scale.choose(List.of(1), List.of(1, 2))) {
                for (int threads = 1; threads * instances <= 2; threads++) {
                    all.add(contender("ours", ours, instances, threads));
                    all.add(contender("empty", empty, instances, threads));
                }
            }
            // the first contender would wait for the compiler of a cold broker
            Fleet.run(empty, 1, 2);
            List<Series> rates = new Rounds(scale.choose(1, 3), System.err::println).measure("events/s", all);
            for (Series rate : rates) {
                report.add(rate);
                report.add(new Series(
                        rate.name(), "CPU s per million events", costs.getOrDefault(rate.name(), List.of())));
            }
            ratio("two threads", rates.get(0), rates.get(1), rates.get(2), rates.get(3));
            if (rates.size() > 4) {
                ratio("two instances", rates.get(0), rates.get(1), rates.get(4), rates.get(5));
            }
        }

        private Rounds.Contender contender(String who, Contender contender, int instances, int threads) {
            String name =
                    "%s: %s".formatted(who, instances == 2 ? "two instances" : threads == 2 ? "two threads" : "one");
            return new Rounds.Contender(name, () -> {
                Fleet fleet = Fleet.run(contender, instances, threads);
                costs.computeIfAbsent(name, missing -> new ArrayList<>()).add(fleet.cpuSecondsPerMillion());
                return fleet.eventsPerSecond();
            });
        }

        private void ratio(String name, Series ours, Series empty, Series moreOurs, Series moreEmpty) {
            double factor = moreOurs.over(ours);
            double best = moreEmpty.over(empty);
            report.ratio(name + ": ours", factor);
            report.ratio(name + ": empty topology", best);
            report.ratio(name + ": ours over empty", factor / best, Goal.atLeast(0.9, 0.45));
        }
    }
}
