package io.sluice.analyzer.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.exact.ExactOracle;
import io.sluice.analyzer.exact.ExactOracle.Reading;
import io.sluice.analyzer.replay.ReplayEngine;
import io.sluice.analyzer.replay.ReplayLock;
import io.sluice.contract.event.RequestEvent;
import io.sluice.contract.policy.Measure;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.testing.Seeds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@link AboveReplayTest} asks of {@code above}, asked of the detectors whose windows are sums, too. */
@Tag("server")
@Tag(Seeds.TAG)
class DetectorsReplayTest {
    private static final int CALLERS = 12;
    // baselines and levels are sums of fractions, and not of the same fractions in the same order
    private static final double ROUNDING = 1 + 1e-6;

    /** Workloads of requests, in windows that can be cut into some that are long enough. */
    static LongStream seeds() {
        return LongStream.range(0, Seeds.of(8, Workload.SEEDS)).filter(seed -> {
            Policy policy = Workload.of(seed, 1).policy();
            return policy.measure().equals(Measure.REQUESTS) && policy.window().millis() >= 12_000;
        });
    }

    /** Whether a caller must be locked by now, from what the exact method says of the window and of one a pane shorter. */
    private interface Due extends BiPredicate<Reading, Reading> {}

    @ParameterizedTest
    @MethodSource("seeds")
    void differentValues(long seed) {
        Workload workload = Workload.of(seed, CALLERS);
        Random random = new Random(seed);
        List<RequestEvent> events = workload.events().stream()
                .map(event -> Rewritten.route(event, "/value-" + random.nextInt(150)))
                .toList();
        PolicySet policies =
                Rewritten.policies(workload, 1, "'measure':{'distinct':'route'},", "'when':[{'above':40}]");

        check(policies, events, (whole, less) -> less.sum() > whole.threshold());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void spikes(long seed) {
        Workload workload = Workload.of(seed, CALLERS);
        long baseline = workload.policy().window().millis();
        PolicySet policies = Rewritten.policies(
                workload, 6, "", "'when':[{'spike':2.5,'baseline':'" + baseline + "ms','floor':10}]");

        check(policies, workload.events(), DetectorsReplayTest::spikes);
    }

    private static boolean spikes(Reading whole, Reading less) {
        double usual = whole.sum() / whole.observed();
        return whole.observed() > 0 && less.sum() > whole.threshold() * usual * ROUNDING;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void debts(long seed) {
        Workload workload = Workload.of(seed, CALLERS);
        int panes = workload.policy().window().panes();
        PolicySet policies =
                Rewritten.policies(workload, 1, "", "'when':[{'above':" + workload.limit() / 2 + "}],'for':'debt'");

        // a debt may be paid a pane too early
        check(
                policies,
                workload.events(),
                (whole, less) -> whole.observed() > whole.threshold() * (1 + 1.0 / panes) * ROUNDING);
    }

    /** Costs from 1 to 999, unknown for some requests, and more in an entry that stands for several. */
    private static List<RequestEvent> costing(Workload workload, long seed) {
        Random random = new Random(seed);
        return workload.events().stream()
                .map(event -> event.costing(random.nextInt(20) == 0 ? 0 : event.count() * (1 + random.nextInt(999))))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void costs(long seed) {
        Workload workload = Workload.of(seed, CALLERS);
        PolicySet policies = Rewritten.policies(
                workload, 1, "'measure':'cost',", "'when':[{'above':" + workload.limit() * 250 + "}]");

        check(policies, costing(workload, seed), (whole, less) -> less.sum() > whole.threshold());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void debtsOfCosts(long seed) {
        Workload workload = Workload.of(seed, CALLERS);
        int panes = workload.policy().window().panes();
        PolicySet policies = Rewritten.policies(
                workload,
                1,
                "'measure':'cost',",
                "'when':[{'above':" + workload.limit() * 250 + "}],'for':'debt','upTo':'10m'");

        check(
                policies,
                costing(workload, seed),
                (whole, less) -> whole.observed() > whole.threshold() * (1 + 1.0 / panes) * ROUNDING);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void all(long seed) {
        Workload workload = Workload.of(seed, CALLERS);
        long baseline = workload.policy().window().millis();
        PolicySet policies = Rewritten.policies(
                workload,
                6,
                "",
                "'when':[{'all':[{'above':15},{'spike':2,'baseline':'" + baseline + "ms','floor':0}]}]");

        // the part that speaks is the one that is over by least; the other is over by more, in the same window
        check(
                policies,
                workload.events(),
                (whole, less) -> whole.over()
                        && less.sum() > 15
                        && (whole.detector().equals("spike")
                                ? spikes(whole, less)
                                : less.sum() / whole.sum() * whole.observed() > whole.threshold() * ROUNDING));
    }

    private static void check(PolicySet policies, List<RequestEvent> events, Due due) {
        String policy = policies.policies().get(0).name();
        ExactOracle whole = new ExactOracle(policies);
        ExactOracle less = new ExactOracle(Truth.lessAPane(policies));
        Map<String, Long> dueAt = new HashMap<>();
        Map<String, Long> locked = new HashMap<>();
        try (ReplayEngine engine = new ReplayEngine(policies)) {
            for (RequestEvent event : events) {
                whole.add(event);
                less.add(event);
                engine.add(event);
                List<String> subject = List.of(event.caller());
                whole.reading(policy, subject).ifPresent(reading -> {
                    if (due.test(reading, less.reading(policy, subject).orElseThrow())) {
                        dueAt.putIfAbsent(event.caller(), event.time());
                    }
                });
            }
            for (ReplayLock lock : engine.locks()) {
                locked.putIfAbsent(lock.subject().get(0), lock.at());
            }
        }

        Truth truth = Truth.of(whole, dueAt);
        assertThat(dueAt).isNotEmpty();
        locked.forEach((caller, at) -> assertThat(truth.over(caller, at))
                .as("%s was over at %d", caller, at)
                .isTrue());
        dueAt.forEach((caller, at) -> assertThat(locked.getOrDefault(caller, Long.MAX_VALUE))
                .as("%s must be locked by %d", caller, at)
                .isLessThanOrEqualTo(at));
    }
}
