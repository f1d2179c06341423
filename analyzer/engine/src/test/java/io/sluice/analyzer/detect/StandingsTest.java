package io.sluice.analyzer.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.analyzer.Counts;
import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.window.InMemoryWindowStore;
import io.sluice.analyzer.window.Panes;
import io.sluice.analyzer.window.Shape;
import io.sluice.analyzer.window.Windows;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Standings that are read from the store, compared with the findings of the detectors. */
class StandingsTest {
    private static final long TIME = 1_763_700_000_000L;
    private static final long SLACK = 65_000;
    private static final List<String> ACME = List.of("acme");

    private final InMemoryWindowStore store = new InMemoryWindowStore();
    private final LoadBook book = new LoadBook(TestBudgets.heap());
    private final Windows windows = new Windows(store, 's', TestBudgets.windows(8));
    private final Counts counts = new Counts();
    private final DetectorState state = new DetectorState(store, TestBudgets.windows(8), key -> false, counts);
    private final Detection detection = new Detection(
            windows, state, book, new Watches(1, key -> false, (key, end) -> {}), SLACK, TestBudgets.task(), counts);
    private final List<Finding> findings = new ArrayList<>();

    private Policy given(String lock) {
        var set = TestPolicies.policies("{'name':'p','per':['caller'],'window':'10s','panes':10,'lock':" + lock + "}");
        detection.policies(set);
        return set.policies().get(0);
    }

    private static Policy limited() {
        return TestPolicies.policies("{'name':'l','per':['caller'],'limit':{'rate':'5/s'}}")
                .policies()
                .get(0);
    }

    private List<List<Standing>> use(Policy policy, long admitted, long time) {
        findings.clear();
        UsageKey key = new UsageKey(policy.revision(), ACME);
        detection.partial(
                key,
                new UsagePartial(false, time / 1000, admitted, admitted, 0, time, time, new Origin(0, 1), 0),
                time,
                (finding, now) -> findings.add(finding));
        return standings(policy, time);
    }

    private List<List<Standing>> standings(Policy policy, long time) {
        windows.flush();
        state.flush();
        UsageKey key = new UsageKey(policy.revision(), ACME);
        Panes panes = Panes.read(
                store, 's', key, Shape.of(policy, SLACK), policy.window().paneOf(time));
        return new Standings(store, book).of(policy, ACME, panes, time);
    }

    private static boolean holds(List<List<Standing>> standings) {
        return standings.stream().anyMatch(all -> all.stream().allMatch(Standing::holds));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'when':[{'above':60}]}",
                "{'when':[{'spike':3,'baseline':'1m','floor':30}]}",
                "{'when':[{'above':150},{'all':[{'above':40},{'spike':2,'baseline':'2m','floor':0}]}]}",
                "{'when':[{'above':50}],'for':'debt'}"
            })
    void holds_randomUse_isWhatTheDetectorsFind(String lock) {
        Policy policy = given(lock);
        Random random = new Random(lock.hashCode());
        int found = 0;
        for (int second = 0; second < 1_000; second++) {
            int most = second % 100 < 80 ? 6 : 30;
            List<List<Standing>> standings = use(policy, 1 + random.nextInt(most), TIME + second * 1000L);

            assertThat(holds(standings)).as("second " + second).isEqualTo(!findings.isEmpty());
            found += findings.size();
        }
        assertThat(found).isBetween(20, 980);
    }

    @Test
    void spike_afterTenWindows_hasTheBaselineAndItsLimit() {
        Policy policy = given("{'when':[{'spike':3,'baseline':'2m','floor':30}]}");
        List<List<Standing>> first = use(policy, 2, TIME);
        for (int second = 1; second < 150; second++) {
            use(policy, 2, TIME + second * 1000L);
        }
        List<List<Standing>> last = use(policy, 42, TIME + 150_000);

        assertThat(first).containsExactly(List.of(Standing.unknown(Threshold.SPIKE, 3)));
        Standing spike = last.get(0).get(0);
        assertThat(spike.baseline()).isCloseTo(20, within(0.001));
        assertThat(spike.limit()).isCloseTo(60, within(0.001));
        assertThat(spike.observed()).isCloseTo(3, within(0.001));
        assertThat(spike.holds()).isFalse();
        assertThat(use(policy, 1, TIME + 150_001).get(0).get(0).holds()).isTrue();
    }

    @Test
    void share_ofTheLoad_hasLimitAndLoad() {
        Policy policy = given("{'when':[{'share':'40%','beyond':100,'others':10}]}");
        List<List<Standing>> unknown = use(policy, 60, TIME);
        long[] panes = new long[11];
        panes[9] = 200;
        book.accept(
                new UsageKey(policy.revision(), List.of()),
                new Load(TIME / 1000 - 10, panes, panes, new long[11], TIME - 60_000, TIME));

        assertThat(unknown).containsExactly(List.of(Standing.unknown(Threshold.SHARE, 0.4)));
        assertThat(standings(policy, TIME))
                .containsExactly(List.of(new Standing(Threshold.SHARE, 0.4, 0.3, 80.0, null, 200.0, false)));
        assertThat(holds(use(policy, 21, TIME))).isTrue();
        assertThat(use(policy, 200, TIME).get(0).get(0))
                .extracting(Standing::observed, Standing::holds)
                .containsExactly(1.0, false);
    }

    @Test
    void debt_drainsWithTime_andASubjectWithoutRuleHasNoStanding() {
        Policy policy = given("{'when':[{'above':50}],'for':'debt'}");
        use(policy, 80, TIME);

        assertThat(standings(policy, TIME + 4_000).get(0).get(0))
                .isEqualTo(new Standing(Threshold.DEBT, 50, 60.0, 50.0, null, null, true));
        assertThat(standings(limited(), TIME)).isEmpty();
    }
}
