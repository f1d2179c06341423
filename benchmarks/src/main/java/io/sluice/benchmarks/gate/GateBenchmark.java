package io.sluice.benchmarks.gate;

import io.sluice.benchmarks.measure.Benchmark;
import io.sluice.benchmarks.measure.Goal;
import io.sluice.benchmarks.measure.Report;
import io.sluice.benchmarks.measure.Rounds;
import io.sluice.benchmarks.measure.Scale;
import io.sluice.benchmarks.measure.Series;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Cost of a check, in a crowd and with one hot caller, with one thread and two. */
public final class GateBenchmark implements Benchmark {
    private static final String SENTINEL = "sentinel";
    private static final List<String> PEERS = List.of("bucket4j", "guava", "resilience4j", SENTINEL);
    private static final String OURS = "check";
    private static final String TWO_POLICIES = "check, two policies";
    private static final String NAME = "a name is read";
    private static final String REQUEST = "a name is read, a request described";
    private static final List<String> CHECKS = List.of(OURS, TWO_POLICIES);
    private static final String FLOOR = "floor";
    private static final String PERMIT = "hot: permit";
    private static final String LIMITED = "hot: rejected by the limit";
    private static final String LOCKED = "hot: rejected by a lock";
    // what JMH and code that is not compiled yet allocate is counted too; the smallest object is 16
    private static final Goal NOTHING = Goal.atMost(0.1, 8);

    @Override
    public String name() {
        return "gate";
    }

    @Override
    public String purpose() {
        return "what a check costs, beside its floor and the limiters that users would pick instead";
    }

    @Override
    public void run(Scale scale, Report report) throws Exception {
        // a quick look leaves out contenders that are never the fastest
        List<String> crowded = scale.choose(List.of("guava"), PEERS);
        List<String> peers = scale.choose(List.of("guava", "resilience4j"), PEERS);
        int mostInACrowd = scale.choose(1, 2);
        int leastOnOneCaller = scale.choose(2, 1);
        Contenders contenders = new Contenders(new Fork(scale));
        contenders.add(NAME, Crowd.class, "name", Map.of(), 1);
        contenders.add(REQUEST, Crowd.class, "request", Map.of(), 1);
        for (int threads = 1; threads <= mostInACrowd; threads++) {
            contenders.add(FLOOR, Crowd.class, "floor", Map.of(), threads);
            contenders.add(OURS, Crowd.class, "check", Map.of("policies", "one"), threads);
            contenders.add(TWO_POLICIES, Crowd.class, "check", Map.of("policies", "two"), threads);
            for (String peer : crowded) {
                contenders.add(peer, Crowd.class, "peer", Map.of("peer", peer), threads);
            }
        }
        for (int threads = leastOnOneCaller; threads <= 2; threads++) {
            contenders.add(PERMIT, Hot.class, "check", Map.of("answer", "permit"), threads);
            contenders.add(LIMITED, Hot.class, "check", Map.of("answer", "limit"), threads);
            contenders.add(LOCKED, Hot.class, "check", Map.of("answer", "lock"), threads);
        }
        for (String peer : peers) {
            contenders.add(permitOf(peer), Hot.class, "peer", Map.of("peer", peer, "answer", "permit"), 2);
            contenders.add(rejectionOf(peer), Hot.class, "peer", Map.of("peer", peer, "answer", "reject"), 2);
        }
        contenders.measure(new Rounds(scale.choose(1, 5), System.err::println));
        report.add(contenders.all());
        crowd(contenders, crowded, mostInACrowd, report);
        hot(contenders, peers, leastOnOneCaller, report);
    }

    private static void crowd(Contenders measured, List<String> peers, int mostThreads, Report report) {
        for (String ours : CHECKS) {
            for (int threads = 1; threads <= mostThreads; threads++) {
                int on = threads;
                Series own = measured.nanos(ours, on);
                Series fastest = fastest(peers.stream().map(peer -> measured.nanos(peer, on)));
                String over = Contenders.named(ours, on) + " / ";
                report.ratio(over + "the fastest peer", own.over(fastest), Goal.atMost(0.5, 3));
                report.ratio(over + "the floor", own.over(measured.nanos(FLOOR, on)), Goal.atMost(1.2, 3.5));
                if (peers.contains(SENTINEL)) {
                    report.ratio(over + SENTINEL, own.over(measured.nanos(SENTINEL, on)), Goal.atMost(0.1, 0.2));
                }
            }
            if (mostThreads > 1) {
                report.ratio(
                        ours + ": two threads / one, each",
                        measured.nanos(ours, 2).over(measured.nanos(ours, 1)),
                        Goal.atMost(1, 2));
            }
        }
        if (mostThreads > 1) {
            report.ratio(
                    "floor: two threads / one, each", measured.nanos(FLOOR, 2).over(measured.nanos(FLOOR, 1)));
        }
        double before = measured.bytes(REQUEST, 1).median();
        for (String ours : CHECKS) {
            // a quick run may end before the compiler has removed the objects; GateAllocationTest asserts that there
            // are none
            report.ratio(
                    ours + ": bytes allocated by the check",
                    measured.bytes(ours, 1).median() - before,
                    NOTHING);
        }
    }

    private static void hot(Contenders measured, List<String> peers, int leastThreads, Report report) {
        Series permit = measured.nanos(PERMIT, 2);
        Series permits = fastest(peers.stream().map(peer -> measured.nanos(permitOf(peer), 2)));
        report.ratio(PERMIT + " / the fastest peer's", permit.over(permits), Goal.atMost(1, 4.5));
        Series rejections = fastest(peers.stream().map(peer -> measured.nanos(rejectionOf(peer), 2)));
        for (String rejected : List.of(LIMITED, LOCKED)) {
            report.ratio(
                    rejected + " / the fastest peer's",
                    measured.nanos(rejected, 2).over(rejections),
                    Goal.atMost(1, 3));
            for (int threads = leastThreads; threads <= 2; threads++) {
                report.ratio(
                        Contenders.named(rejected, threads) + " / permit",
                        measured.nanos(rejected, threads).over(measured.nanos(PERMIT, threads)),
                        Goal.atMost(1, 2));
            }
            if (leastThreads == 1) {
                report.ratio(
                        rejected + ": two threads / one, each",
                        measured.nanos(rejected, 2).over(measured.nanos(rejected, 1)));
            }
        }
    }

    private static String permitOf(String peer) {
        return "hot: permit of " + peer;
    }

    private static String rejectionOf(String peer) {
        return "hot: rejection of " + peer;
    }

    private static Series fastest(Stream<Series> peers) {
        return peers.min(Comparator.comparingDouble(Series::median)).orElseThrow();
    }
}
