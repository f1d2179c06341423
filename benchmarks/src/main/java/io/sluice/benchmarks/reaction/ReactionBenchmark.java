package io.sluice.benchmarks.reaction;

import io.sluice.benchmarks.measure.Benchmark;
import io.sluice.benchmarks.measure.Goal;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Rounds;
import io.sluice.benchmarks.measure.Rounds.Contender;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.measure.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * From the event that crosses a threshold, just before it is sent, to the moment at which every one of three agents turns
 * its caller away; against three bare round trips and a tick.
 */
public final class ReactionBenchmark implements Benchmark {
    private static final long SEED = 5;
    private static final int STEADY = 20_000;
    /** What broker, analyzer, agents and this producer can be expected to share two cores at, once all code is compiled. */
    private static final int BUSY = 100_000;

    private static final int QUIET = 1_000;
    private static final double MEDIAN = 50;
    private static final double TAIL = 99;

    @Override
    public String name() {
        return "reaction";
    }

    @Override
    public String purpose() {
        return "from the event that crosses to the moment every agent rejects its caller";
    }

    @Override
    public void run(Scale scale, Report report) throws Exception {
        Random random = new Random(SEED);
        try (Field field = Field.open(scale);
                Traffic traffic = new Traffic(field.bootstrap(), random)) {
            Map<String, List<Double>> tails = new LinkedHashMap<>();
            long turn = TimeUnit.SECONDS.toNanos(scale.choose(5, 8));
            for (Contestant contestant : field.contestants()) {
                // compiled code and warm connections are what a service has after its first minute
                traffic.turn(
                        contestant.topics().requests(),
                        contestant.witness(),
                        scale.choose(QUIET, STEADY),
                        TimeUnit.SECONDS.toNanos(scale.choose(6, 15)));
            }
            List<Contender> contenders = new ArrayList<>();
            // code that is hardly compiled falls behind
            int[] rates = scale.choose(new int[] {QUIET}, new int[] {QUIET, STEADY, BUSY});
            for (int rate : rates) {
                for (Contestant contestant : field.contestants()) {
                    String name = name(contestant.name(), rate);
                    contenders.add(new Contender(name, () -> {
                        Reactions reactions = take(traffic, contestant, rate, turn);
                        tails.computeIfAbsent(name, any -> new ArrayList<>()).add(reactions.percentile(TAIL));
                        return reactions.percentile(MEDIAN);
                    }));
                }
            }
            List<Series> medians = new Rounds(scale.choose(1, 4), System.err::println).measure("ms", contenders);
            tell(report, medians, tails, rates, field.contestants());
            hops(field, traffic, turn, rates, report);
        }
    }

    private static Reactions take(Traffic traffic, Contestant contestant, int rate, long nanos)
            throws InterruptedException {
        Traffic.Turn turn = traffic.turn(contestant.topics().requests(), contestant.witness(), rate, nanos);
        Reactions reactions = Reactions.of(turn.crossings(), Gates.PATIENCE_NANOS, contestant.extraNanos());
        System.err.printf(
                "  %d reactions at %.0f events/s: p50 %.1f ms, p99 %.1f ms, %d never seen%n",
                reactions.count(),
                turn.eventsPerSecond(),
                reactions.percentile(MEDIAN),
                reactions.percentile(TAIL),
                reactions.lost());
        return reactions;
    }

    private static void tell(
            Report report,
            List<Series> medians,
            Map<String, List<Double>> tails,
            int[] rates,
            List<Contestant> contestants) {
        List<Series> p99 = new ArrayList<>();
        for (Series median : medians) {
            report.add(new Series(median.name() + ", p50", "ms", median.samples()));
            Series tail = new Series(median.name(), "ms", tails.getOrDefault(median.name(), List.of()));
            report.add(new Series(tail.name() + ", p99", "ms", tail.samples()));
            p99.add(tail);
        }
        for (int rate : rates) {
            for (Contestant other : contestants) {
                ratio(report, medians, "p50", rate, other.name(), Goal.atMost(1.5, 6));
                Goal tail = Goal.atMost(rate == BUSY ? 3 : 2, rate == QUIET ? 8 : 16);
                ratio(report, p99, "p99", rate, other.name(), tail);
            }
        }
    }

    private static void ratio(Report report, List<Series> all, String what, int rate, String other, Goal goal) {
        if (other.equals(Field.OURS)) {
            return;
        }
        String name = String.format(Locale.ROOT, "%s / %s, %s, %,d/s", Field.OURS, other, what, rate);
        double value = named(all, name(Field.OURS, rate)).over(named(all, name(other, rate)));
        if (other.equals(Field.FLOOR)) {
            report.ratio(name, value, goal);
        } else {
            report.ratio(name, value);
        }
    }

    private static Series named(List<Series> all, String name) {
        return all.stream()
                .filter(series -> series.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Where the time goes, in turns of their own: looking on costs something. */
    private static void hops(Field field, Traffic traffic, long nanos, int[] rates, Report report)
            throws InterruptedException {
        Contestant ours = field.contestants().stream()
                .filter(contestant -> contestant.name().equals(Field.OURS))
                .findFirst()
                .orElseThrow();
        try (Hops hops = new Hops(field.bootstrap(), ours.topics())) {
            for (int rate : rates) {
                var turn = traffic.turn(ours.topics().requests(), ours.witness(), rate, nanos);
                report.add(hops.of(turn.crossings(), "%,d/s".formatted(rate)));
            }
        }
    }

    private static String name(String contestant, int rate) {
        return String.format(Locale.ROOT, "%s, %,d/s", contestant, rate);
    }
}
