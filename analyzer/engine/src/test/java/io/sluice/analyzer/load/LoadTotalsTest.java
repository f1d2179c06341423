package io.sluice.analyzer.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.history.Baseline;
import io.sluice.analyzer.window.Histories;
import io.sluice.analyzer.window.InMemoryWindowStore;
import io.sluice.analyzer.window.Windows;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoadTotalsTest {
    private static final long TIME = 1_763_700_000_000L;
    private static final PolicySet POLICIES = TestPolicies.policies(
            "{'name':'s','per':['caller'],'window':'10s','panes':10,'lock':{'when':[{'share':'40%'}]}}");
    private static final UsageKey ALL = new UsageKey(POLICIES.policies().get(0).revision(), List.of());

    private final Counts counts = new Counts();
    private final LoadTotals totals = new LoadTotals(
            new Windows(new InMemoryWindowStore(), 'g', TestBudgets.windows(100)),
            new Histories<>(new InMemoryWindowStore(), 'h', TestBudgets.windows(100), Baseline::decode),
            65_000,
            2,
            new LoadBook(TestBudgets.heap()),
            group -> true,
            TestBudgets.task(),
            counts);
    private final List<Load> published = new ArrayList<>();
    private final List<UsageKey> gone = new ArrayList<>();
    private final LoadSink sink = new LoadSink() {
        @Override
        public void load(UsageKey group, Load load) {
            published.add(load);
        }

        @Override
        public void gone(UsageKey group) {
            gone.add(group);
        }
    };

    @BeforeEach
    void policies() {
        totals.policies(POLICIES);
    }

    private void partial(long time, long admitted, long rejected) {
        totals.partial(
                ALL,
                new UsagePartial(true, time / 1000, admitted, admitted, rejected, time, time, new Origin(0, 1), 0));
    }

    private void positions(long first, long second) {
        totals.position(new MeterPosition(first, new Origin(0, 1), 0));
        totals.position(new MeterPosition(second, new Origin(1, 1), 0));
        totals.publish(sink);
    }

    @Test
    void positions_publishedTogether_countBesideThoseOfThePartition() {
        MeterPositions together = new MeterPositions();
        together.accept(List.of(
                new MeterPosition(TIME, new Origin(0, 1), 0), new MeterPosition(TIME - 7, new Origin(1, 1), 0)));
        totals.position(new MeterPosition(TIME - 3, new Origin(1, 1), 0));

        totals.positions(together.snapshot(), LoadTotals.ALL);

        assertThat(totals.asOf()).isEqualTo(TIME - 3);
    }

    @Test
    void positions_notCurrent_areNotUsed() {
        MeterPositions together = new MeterPositions();
        together.accept(
                List.of(new MeterPosition(TIME, new Origin(0, 1), 0), new MeterPosition(TIME, new Origin(1, 1), 0)));

        totals.positions(together.snapshot(), meter -> meter == 0);
        assertThat(totals.asOf()).isEqualTo(LoadTotals.UNKNOWN);

        totals.positions(together.snapshot(), LoadTotals.ALL);
        assertThat(totals.asOf()).isEqualTo(TIME);
    }

    @Test
    void nothingIsPublishedBeforeEveryMeterWasHeardOf() {
        partial(TIME, 5, 0);
        totals.position(new MeterPosition(TIME, new Origin(0, 1), 0));

        totals.publish(sink);

        assertThat(published).isEmpty();
        assertThat(totals.asOf()).isEqualTo(LoadTotals.UNKNOWN);
    }

    @Test
    void aLoadIsAsOfTheLeastPosition() {
        partial(TIME, 5, 1);

        positions(TIME + 900, TIME + 300);

        assertThat(published).singleElement().satisfies(load -> {
            assertThat(load.asOf()).isEqualTo(TIME + 300);
            assertThat(load.since()).isEqualTo(TIME);
            assertThat(load.admitted()).hasSize(11);
            assertThat(LoadSums.admitted(load, TIME / 1000, TIME / 1000)).isEqualTo(5);
            assertThat(LoadSums.admittedCount(load, TIME / 1000, TIME / 1000)).isEqualTo(5);
            assertThat(LoadSums.rejectedCount(load, TIME / 1000, TIME / 1000)).isEqualTo(1);
        });
    }

    @Test
    void aLoadHoldsItsWindowAndThePaneBefore() {
        for (int pane = -12; pane <= 1; pane++) {
            partial(TIME + pane * 1000L, 1, 0);
        }

        positions(TIME, TIME);

        assertThat(published).singleElement().satisfies(load -> {
            assertThat(load.firstPane()).isEqualTo(TIME / 1000 - 10);
            assertThat(load.admitted()).containsOnly(1).hasSize(11);
        });
    }

    @Test
    void aPositionNeverGoesBack() {
        positions(TIME, TIME);

        positions(TIME - 5000, TIME + 1);

        assertThat(totals.asOf()).isEqualTo(TIME);
    }

    @Test
    void aGroupIsPublishedUntilThePositionsHavePassedItsNewestEvent() {
        partial(TIME + 500, 5, 0);

        positions(TIME, TIME);
        positions(TIME + 400, TIME + 400);
        positions(TIME + 500, TIME + 500);
        positions(TIME + 600, TIME + 600);

        assertThat(published).extracting(Load::asOf).containsExactly(TIME, TIME + 400, TIME + 500);
    }

    @Test
    void theSamePositionIsNotPublishedTwice() {
        partial(TIME + 500, 5, 0);

        positions(TIME, TIME);
        positions(TIME, TIME);

        assertThat(published).hasSize(1);
    }

    @Test
    void aLateEventIsPublishedAtTheSamePosition() {
        partial(TIME, 5, 0);
        positions(TIME, TIME);

        partial(TIME, 1, 0);
        totals.publish(sink);
        partial(TIME + 1, 1, 0);
        totals.publish(sink);

        assertThat(published)
                .extracting(it -> LoadSums.admitted(it, TIME / 1000, TIME / 1000))
                .containsExactly(5L, 6L);
    }

    @Test
    void late_eventOfATimeThatItsMeterHadPassed_isTrue() {
        UsagePartial partial = new UsagePartial(true, TIME / 1000, 1, 1, 0, TIME, TIME + 500, new Origin(0, 1), 0);
        assertThat(totals.late(partial)).isFalse();

        positions(TIME - 1, TIME + 600);
        assertThat(totals.late(partial)).isFalse();

        positions(TIME, TIME + 600);
        assertThat(totals.late(partial)).isTrue();
    }

    @Test
    void aGroupThatFellSilentIsForgotten() {
        partial(TIME, 5, 0);
        positions(TIME, TIME);

        positions(TIME + 100_000, TIME + 100_000);

        assertThat(gone).containsExactly(ALL);
    }

    @Test
    void aPartialOfAnUnknownPolicyIsCounted() {
        totals.partial(
                new UsageKey("other@1", List.of()),
                new UsagePartial(true, TIME / 1000, 1, 1, 0, TIME, TIME, new Origin(0, 1), 0));

        assertThat(counts.of(Count.UNKNOWN_REVISION)).isEqualTo(1);
    }
}
