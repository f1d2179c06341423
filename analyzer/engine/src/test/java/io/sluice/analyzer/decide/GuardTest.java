package io.sluice.analyzer.decide;

import static io.sluice.analyzer.decide.Rig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestEvents;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.load.ActiveSubjects;
import io.sluice.analyzer.load.LoadBook;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Version;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.PolicySet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardTest {
    private static final long WINDOW = 60_000;

    private final FleetCounts counts = new FleetCounts();
    private final Guard guard = new Guard(0, 2, new LoadBook(TestBudgets.heap()));

    private void policies(PolicySet set) {
        guard.policies(set);
        counts.policies(set);
    }

    private long excess(Policy policy, long time) {
        guard.fleet(counts.at(time));
        return guard.excess(policy, 20, time);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1",
        "1, 1",
        "2, 1",
        "3, 1",
        "4, 2",
        "6, 3",
        "30, 3",
        "39, 3",
        "40, 4",
        "1000, 100",
        "9999, 999",
        "10000, 1000",
        "10010, 1000",
        "1000000, 1000"
    })
    void aTenthMayBeLockedButNeverMoreThanHalfAndOneAlways(long active, long most) {
        assertThat(Guard.most(PolicySet.Guard.DEFAULT, active, 1)).isEqualTo(most);
    }

    @Test
    void eachTaskHasItsPartOfTheCeiling() {
        assertThat(Guard.most(PolicySet.Guard.DEFAULT, 1_000_000, 3)).isEqualTo(334);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 10})
    void aHandfulOfSubjectsIsCountedExactly(int subjects) {
        ActiveSubjects active = new ActiveSubjects(WINDOW);

        for (int i = 0; i < 3 * subjects; i++) {
            active.seen(List.of("caller-" + i % subjects), TIME + i);
        }

        assertThat(active.count(TIME + 1000)).isEqualTo(subjects);
    }

    @ParameterizedTest
    @ValueSource(ints = {50, 1_000, 5_000, 10_000, 20_000, 100_000, 1_000_000})
    void manySubjectsAreCountedWithinSomePercent(int subjects) {
        ActiveSubjects active = new ActiveSubjects(WINDOW);

        for (int i = 0; i < subjects; i++) {
            active.seen(List.of("tenant", "10.0." + i / 256 + "." + i % 256), TIME);
        }

        assertThat((double) active.count(TIME)).isBetween(0.93 * subjects, 1.07 * subjects);
    }

    @Test
    void theWindowBeforeCountsUntilThisOneHasMore() {
        ActiveSubjects active = new ActiveSubjects(WINDOW);
        active.seen(List.of("a"), TIME);
        active.seen(List.of("b"), TIME);
        active.seen(List.of("a"), TIME + WINDOW);

        assertThat(active.count(TIME + WINDOW)).isEqualTo(2);
        assertThat(active.count(TIME + 2 * WINDOW)).isEqualTo(1);
        assertThat(active.count(TIME + 5 * WINDOW)).isZero();
    }

    @Test
    void whatAnotherTaskSawCountsUntilItCanHaveSeenItAgain() {
        Policy policy = TestPolicies.above(60).policies().get(0);
        long settled = TIME + policy.window().millis();
        policies(TestPolicies.above(60));
        for (int i = 0; i < 100; i++) {
            guard.seen(policy.revision(), List.of("caller-" + i), TIME);
        }
        counts.heartbeat(heartbeat(1, 100), TIME);
        assertThat(excess(policy, TIME)).isZero();

        counts.heartbeat(heartbeat(2, 0), TIME);
        counts.heartbeat(heartbeat(2, 1), TIME + 1000);

        assertThat(excess(policy, TIME + 1000)).isZero();
        assertThat(excess(policy, settled - 1)).isZero();
        assertThat(excess(policy, settled)).isGreaterThan(0);
    }

    @Test
    void whatATaskSawTwoLivesAgoCountsWhenTheyFollowEachOther() {
        Policy policy = TestPolicies.above(60).policies().get(0);
        policies(TestPolicies.above(60));
        guard.seen(policy.revision(), List.of("acme"), TIME);
        counts.heartbeat(heartbeat(1, 200), TIME);
        counts.heartbeat(heartbeat(2, 3), TIME);
        counts.heartbeat(heartbeat(3, 0), TIME + 1000);

        assertThat(excess(policy, TIME + 1000)).isZero();
    }

    private static final PolicySet SHORT_AND_LONG =
            TestPolicies.policies("{'name':'p','per':['caller'],'window':'10s','lock':{'when':[{'above':60}]}},"
                    + "{'name':'day','per':['caller'],'window':'24h','panes':24,'lock':{'when':[{'above':60}]}}");

    @Test
    void heartbeat_newEpoch_lastOnesCountForTheWindowOfEachPolicy() {
        Policy policy = SHORT_AND_LONG.policies().get(0);
        Policy day = SHORT_AND_LONG.policies().get(1);
        policies(SHORT_AND_LONG);
        counts.heartbeat(heartbeat(1, Map.of("p", 200, "day", 200), Map.of()), TIME);
        counts.heartbeat(heartbeat(2, 0), TIME);

        assertThat(excess(policy, TIME + 9_999)).isZero();
        assertThat(excess(policy, TIME + 10_000)).isPositive();
        assertThat(excess(day, TIME + 86_399_999)).isZero();
        assertThat(excess(day, TIME + 86_400_000)).isPositive();
    }

    @Test
    void heartbeat_newEpochAfterTheWindowOfOnePolicy_keepsTheCountsOfTheOtherOnly() {
        Policy policy = SHORT_AND_LONG.policies().get(0);
        Policy day = SHORT_AND_LONG.policies().get(1);
        policies(SHORT_AND_LONG);
        counts.heartbeat(heartbeat(1, Map.of("p", 200, "day", 200), Map.of()), TIME);
        counts.heartbeat(heartbeat(2, 0), TIME);

        counts.heartbeat(heartbeat(3, 0), TIME + 10_000);

        assertThat(excess(policy, TIME + 10_001)).isPositive();
        assertThat(excess(day, TIME + 10_001)).isZero();
    }

    private static AnalyzerHeartbeat heartbeat(long epoch, int active) {
        return heartbeat(epoch, Map.of("p", active), Map.of());
    }

    private static AnalyzerHeartbeat heartbeat(long epoch, Map<String, Integer> active, Map<String, Integer> enforced) {
        return new AnalyzerHeartbeat(new Version("decide-1", epoch, 0), "a", TIME, Map.of(), active, enforced);
    }

    /** Ten callers are active; so many of them go over, one after the other. */
    private static Rig over(int callers) {
        Rig rig = Rig.with(TestPolicies.above(60));
        for (int i = 0; i < 10; i++) {
            rig.admit("caller-" + i, 1, TIME);
        }
        for (int i = 0; i < callers; i++) {
            rig.admit("caller-" + i, 60, TIME + 1000);
        }
        return rig;
    }

    @Test
    void furtherLocksAreShadows() {
        Rig rig = over(5);

        assertThat(rig.said).extracting(GateLock::shadow).containsExactly(false, false, false, true, true);
        assertThat(rig.said).extracting(GateLock::guarded).containsExactly(false, false, false, true, true);
        assertThat(rig.counts.of(Count.GUARDED)).isEqualTo(2);
    }

    @Test
    void whoIsStillOverIsLockedWhenThereIsRoom() {
        Rig rig = over(4);
        // the first three fall silent and are released, the fourth goes on
        rig.until(TIME + 2000, TIME + 63_000, "caller-3", 3, 0);

        rig.admit("caller-3", 1, TIME + 64_000);

        assertThat(rig.last().subject()).containsExactly("caller-3");
        assertThat(rig.last().guarded()).isFalse();
        assertThat(rig.last().shadow()).isFalse();
    }

    @Test
    void theOnlyCallerThereIsMayBeLocked() {
        Rig rig = Rig.with(TestPolicies.above(60)).admit("acme", 61, TIME);

        assertThat(rig.last().shadow()).isFalse();
    }

    @Test
    void shadowsTakeNoRoom() {
        Rig rig = Rig.with(
                TestPolicies.policies("{'name':'p','per':['caller'],'lock':{'when':[{'above':60}],'shadow':true}}"));
        for (int i = 0; i < 5; i++) {
            rig.admit("caller-" + i, 61, TIME);
        }

        assertThat(rig.said).hasSize(5).noneMatch(GateLock::guarded);
    }

    @Test
    void aPolicyThatHitsEverybodyReportsSomeAndLocksFew() {
        Rig rig = Rig.with(TestPolicies.policies("{'name':'p','per':['caller'],'lock':{'when':[{'above':0}]}}"));

        for (int i = 0; i < 3000; i++) {
            rig.meter.add(TestEvents.admitted("caller-" + i, TIME));
        }
        rig.passed(TIME);

        assertThat(rig.said.stream().filter(it -> !it.shadow()).count()).isBetween(1L, 320L);
        assertThat(rig.said.stream().filter(GateLock::guarded).count()).isEqualTo(1000);
    }

    @Test
    void heartbeat_ofAnEarlierEpoch_doesNotReplaceTheOwners() {
        Policy policy = TestPolicies.above(60).policies().get(0);
        policies(TestPolicies.above(60));
        guard.seen(policy.revision(), List.of("acme"), TIME);
        counts.heartbeat(heartbeat(2, 200), TIME);

        counts.heartbeat(heartbeat(1, 0), TIME + 1000);

        assertThat(excess(policy, TIME + 1000)).isZero();
    }
}
