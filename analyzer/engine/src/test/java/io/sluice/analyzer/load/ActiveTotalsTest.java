package io.sluice.analyzer.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.analyzer.distinct.DistinctValues;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.Values;
import org.junit.jupiter.api.Test;

/** The number of active subjects of a policy with a window of a minute, before and after another task takes over. */
class ActiveTotalsTest {
    private static final long TIME = 1_763_700_000_000L;
    private static final long MINUTE = 60_000;
    private static final PolicySet POLICIES = TestPolicies.above(1_000);

    private final Policy policy = POLICIES.policies().get(0);
    private final LoadBook book = new LoadBook(TestBudgets.heap());
    private final LoadSink sink = new LoadSink() {
        @Override
        public void load(UsageKey group, Load load) {
            book.accept(group, load);
        }

        @Override
        public void gone(UsageKey group) {
            throw new AssertionError(group);
        }
    };

    private ActiveTotals totals = following();

    private ActiveTotals following() {
        ActiveTotals following = new ActiveTotals(book);
        following.policies(POLICIES);
        return following;
    }

    /** A meter reports so many subjects, from a first one on. */
    private void report(int first, int subjects, long time) {
        DistinctValues values = DistinctHash.UNKEYED.none();
        for (int i = first; i < first + subjects; i++) {
            values.addHash(DistinctHash.UNKEYED.of("caller-" + i));
        }
        long pane = policy.window().paneOf(time);
        totals.add(
                ActiveTotals.key(policy.revision()),
                new UsagePartial(
                        false, pane, 0, 0, 0, time, time, new Origin(0, 1), 0, 0, new Values(values.encode())));
        totals.publish(time, sink);
    }

    private long active(long time) {
        return ActiveTotals.of(book, policy, time);
    }

    @Test
    void metersReportTheSameAndOtherSubjects_eachCountsOnce() {
        report(0, 200, TIME);
        report(100, 200, TIME);

        assertThat(active(TIME)).isBetween(280L, 320L);
    }

    @Test
    void anotherTaskTakesOver_theNumberOfTheOneBeforeIsTheLeastForTwoWindows() {
        report(0, 200, TIME);
        long before = active(TIME);

        totals = following();
        report(0, 10, TIME + 1_000);
        assertThat(active(TIME + 1_000)).isEqualTo(before);

        report(0, 12, TIME + 2 * MINUTE);
        assertThat(active(TIME + 2 * MINUTE)).isEqualTo(before);
        report(0, 14, TIME + 2 * MINUTE + 1);
        assertThat(active(TIME + 2 * MINUTE + 1)).isBetween(13L, 15L);
    }

    @Test
    void tasksThatTakeOverAgainAndAgain_keepANumberNoLonger() {
        report(0, 200, TIME);
        for (long second = 1; second <= 121; second++) {
            totals = following();
            report(0, 10, TIME + second * 1_000);
        }

        assertThat(active(TIME + 121_000)).isEqualTo(10);
    }

    @Test
    void moreThanTheTaskBeforeKnew_counts() {
        report(0, 20, TIME);
        totals = following();
        report(0, 300, TIME + 1_000);

        assertThat(active(TIME + 1_000)).isBetween(280L, 320L);
    }

    /** Meters report once a second, each at a moment of its own. */
    @Test
    void aMetersLastReportOfAWindowLength_countsThoughAnotherMeterHasBegunTheNext() {
        report(0, 100, TIME + MINUTE - 900);
        report(1_000, 10, TIME + MINUTE + 50);
        report(100, 100, TIME + MINUTE - 100);
        report(1_000, 11, TIME + MINUTE + 100);

        assertThat(active(TIME + MINUTE + 100)).isBetween(190L, 210L);
    }
}
