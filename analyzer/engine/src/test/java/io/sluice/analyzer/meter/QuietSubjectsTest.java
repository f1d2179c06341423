package io.sluice.analyzer.meter;

import static io.sluice.analyzer.TestEvents.admitted;
import static io.sluice.analyzer.TestEvents.rejected;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.TestBudgets;
import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.analyzer.distinct.DistinctValues;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One of four meters, with a threshold of 80 in 10 s: subjects are quiet below 10. */
class QuietSubjectsTest {
    private static final long TIME = 1_763_700_000_000L;
    private static final int MARK = 10;
    private static final PolicySet POLICIES = TestPolicies.policies(
            "{'name':'p','per':['caller'],'window':'10s','panes':10,'lock':{'when':[{'above':80}]}}");

    private record Left(UsageKey key, UsagePartial partial) {}

    private final HeapBudget heap = TestBudgets.heap();
    private final Meter meter = new Meter(3, 4, TestBudgets.TIMES, heap, new Counts());
    private final List<Left> left = new ArrayList<>();
    private int others;

    @BeforeEach
    void begin() {
        meter.policies(POLICIES);
        crowd(TIME);
    }

    /** Enough of others, each quiet, that a 256th of all is more than the mark. */
    private void crowd(long time) {
        for (int i = 0; i < 256 * 2 * MARK; i++) {
            meter.add(admitted("other-" + others++, "orders", time));
        }
        meter.drainAll((key, partial) -> {});
    }

    private void admit(String caller, long time, int times) {
        for (int i = 0; i < times; i++) {
            meter.add(admitted(caller, time));
        }
    }

    /** Sums of a caller that have left since this was last asked. */
    private long drained(String caller) {
        left.clear();
        meter.drainAll((key, partial) -> left.add(new Left(key, partial)));
        return left.stream()
                .filter(it -> it.key().subject().equals(List.of(caller)))
                .mapToLong(it -> it.partial().admitted())
                .sum();
    }

    @Test
    void belowTheMark_nothingLeaves() {
        admit("acme", TIME, MARK - 1);

        assertThat(drained("acme")).isZero();
    }

    @Test
    void atTheMark_everythingLeavesWithItsOwnPanes() {
        admit("acme", TIME, 3);
        admit("acme", TIME + 1_000, 4);
        admit("acme", TIME + 9_999, 3);

        assertThat(drained("acme")).isEqualTo(10);
        assertThat(left)
                .extracting(it -> it.partial().pane())
                .containsExactlyInAnyOrder(TIME / 1000, TIME / 1000 + 1, TIME / 1000 + 9);
        assertThat(left.stream().filter(it -> it.partial().pane() == TIME / 1000 + 1))
                .singleElement()
                .satisfies(it -> {
                    assertThat(it.partial().firstTime()).isEqualTo(TIME + 1_000);
                    assertThat(it.partial().newestTime()).isEqualTo(TIME + 1_000);
                    assertThat(it.partial().admittedCount()).isEqualTo(4);
                });
    }

    @Test
    void released_leavesAtTheNextTick() {
        admit("acme", TIME, MARK);

        meter.drainHeavy((key, partial) -> left.add(new Left(key, partial)));

        assertThat(left).extracting(it -> it.key().subject()).contains(List.of("acme"));
    }

    @Test
    void loud_everyFurtherEventLeaves() {
        admit("acme", TIME, MARK);
        assertThat(drained("acme")).isEqualTo(MARK);

        admit("acme", TIME + 2_000, 1);

        assertThat(drained("acme")).isEqualTo(1);
    }

    @Test
    void quietAgainAfterTwoWindows_holdsBackOnlyWhatIsNew() {
        admit("acme", TIME, MARK);
        drained("acme");
        crowd(TIME + 31_000);

        admit("acme", TIME + 31_000, 4);
        assertThat(drained("acme")).isZero();

        admit("acme", TIME + 31_500, MARK - 4);
        assertThat(drained("acme")).isEqualTo(MARK);
    }

    @Test
    void leftTheWindow_isNotCounted() {
        admit("acme", TIME, MARK - 1);

        crowd(TIME + 10_000);
        admit("acme", TIME + 10_000, MARK - 1);

        assertThat(drained("acme")).isZero();
    }

    @Test
    void halfTheMarkInEveryWindow_isHeldBackUntilAWindowHoldsTheMark() {
        long leaving = 0;
        long time = TIME;
        for (int pair = 0; pair < 10; pair++) {
            leaving += drained("acme");
            crowd(time);
            admit("acme", time, 1);
            admit("acme", time + 2_000, 1);
            time += 4_000;
        }
        admit("acme", time - 2_000, MARK - 6);
        assertThat(leaving + drained("acme")).isZero();

        admit("acme", time - 2_000, 1);

        assertThat(drained("acme")).isGreaterThanOrEqualTo(MARK);
    }

    @Test
    void lateEvent_releasesItsOwnWindow() {
        admit("acme", TIME, MARK - 1);
        crowd(TIME + 50_000);
        admit("acme", TIME + 50_000, 1);

        admit("acme", TIME + 1_000, 1);

        assertThat(drained("acme")).isEqualTo(MARK + 1);
    }

    @Test
    void rejectedRequest_releases() {
        admit("acme", TIME, 3);

        meter.add(rejected("acme", TIME + 100, 2));

        assertThat(drained("acme")).isEqualTo(3);
        assertThat(left)
                .anySatisfy(it -> assertThat(it.partial().rejectedCount()).isEqualTo(2));
    }

    @Test
    void watched_releasesAndHoldsNothingBackUntilItsEnd() {
        UsageKey acme = new UsageKey(POLICIES.policies().get(0).revision(), List.of("acme"));
        admit("acme", TIME, 3);

        meter.watch(acme, TIME + 60_000);
        assertThat(drained("acme")).isEqualTo(3);

        crowd(TIME + 40_000);
        admit("acme", TIME + 40_000, 1);
        assertThat(drained("acme")).isEqualTo(1);
    }

    @Test
    void watchedBeforeItsFirstRequest_holdsNothingBack() {
        meter.watch(new UsageKey(POLICIES.policies().get(0).revision(), List.of("acme")), TIME + 60_000);

        admit("acme", TIME, 1);

        assertThat(drained("acme")).isEqualTo(1);
    }

    @Test
    void policyThatAddsUpSomethingElse_joinsTheGroup_watchesStay() {
        meter.watch(new UsageKey(POLICIES.policies().get(0).revision(), List.of("acme")), TIME + 60_000);
        meter.policies(TestPolicies.policies(
                "{'name':'new','per':['caller'],'window':'10s','panes':10,'measure':'bytes','lock':{'when':[{'above':80000}]}},"
                        + "{'name':'p','per':['caller'],'window':'10s','panes':10,'lock':{'when':[{'above':80}]}}"));
        crowd(TIME);

        admit("acme", TIME, 1);

        drained("acme");
        assertThat(left)
                .filteredOn(it -> it.key().subject().equals(List.of("acme")))
                .extracting(it -> it.key().policyRevision())
                .contains(POLICIES.policies().get(0).revision());
    }

    @Test
    void watches_takeTheirPartOfTheHeap_andNoMore() {
        Counts counts = new Counts();
        HeapBudget little = new HeapBudget(400_000);
        String revision = POLICIES.policies().get(0).revision();
        try (Meter full = new Meter(3, 4, TestBudgets.TIMES, little, counts)) {
            full.policies(POLICIES);
            for (int i = 0; i < 10_000; i++) {
                full.watch(new UsageKey(revision, List.of("caller-" + i)), TIME + 10_000);
            }

            assertThat(little.used(Account.WATCHES)).isBetween(20_000L, 25_000L);
            assertThat(full.watched()).isBetween(100, 1_000);
            assertThat(counts.of(Count.NO_ROOM)).isPositive();

            full.add(admitted("other", TIME + 20_000));
            full.add(admitted("other", TIME + 120_000));
            assertThat(little.used(Account.WATCHES)).isZero();

            full.watch(new UsageKey(revision, List.of("acme")), TIME + 130_000);
            assertThat(little.used(Account.WATCHES)).isPositive();
            full.policies(new PolicySet(true, List.of(), PolicySet.Guard.DEFAULT, List.of(), ""));
            assertThat(little.used(Account.WATCHES)).isZero();
        }
    }

    @Test
    void part256OfAll_isNotHeldBack() {
        Meter alone = new Meter(3, 4, TestBudgets.TIMES, heap, new Counts());
        alone.policies(TestPolicies.policies("{'name':'p','per':['caller'],'lock':{'when':[{'above':1000000}]}}"));
        for (int i = 0; i < 200; i++) {
            alone.add(admitted("caller-" + i, TIME));
        }

        List<UsageKey> keys = new ArrayList<>();
        alone.drainAll((key, partial) -> keys.add(key));

        assertThat(keys).hasSize(200);
    }

    @Test
    void override_hasItsOwnMark() {
        meter.policies(TestPolicies.policies(
                "{'name':'p','per':['caller'],'window':'10s','panes':10,'lock':{'when':[{'above':80}]},"
                        + "'overrides':[{'match':{'caller':'small-*'},'lock':{'when':[{'above':16}]}}]}"));
        crowd(TIME);

        admit("small-1", TIME, 2);
        admit("acme", TIME, 2);

        assertThat(drained("small-1")).isEqualTo(2);
        assertThat(left).noneMatch(it -> it.key().subject().equals(List.of("acme")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'lock':{'when':[{'spike':3,'baseline':'1h','floor':80}]}",
                "'lock':{'when':[{'share':'40%','beyond':800,'whenOthersSlow':2}]}",
                "'lock':{'when':[{'above':3}]}"
            })
    void policyThatNeedsSmallSums_holdsNothingBack(String rules) {
        meter.policies(TestPolicies.policies("{'name':'p','per':['caller'],'window':'10s','panes':10," + rules + "}"));
        crowd(TIME);

        meter.add(admitted("acme", TIME));

        drained("acme");
        assertThat(left).anyMatch(it -> it.key().subject().equals(List.of("acme")));
    }

    @Test
    void distinctValues_belowTheMark_areHeldBackHoweverOften() throws Exception {
        meter.policies(TestPolicies.policies("{'name':'p','per':['caller'],'measure':{'distinct':'service'},"
                + "'window':'10s','panes':10,'lock':{'when':[{'above':80}]}}"));
        crowd(TIME);
        crowd(TIME);

        for (int i = 0; i < 3 * (MARK - 1); i++) {
            meter.add(admitted("acme", "service-" + i % (MARK - 1), TIME + 100L * i));
        }
        assertThat(drained("acme")).isZero();

        meter.add(admitted("acme", "another", TIME + 3_000));
        drained("acme");
        DistinctValues all = DistinctValues.empty();
        for (Left each : left) {
            if (!each.partial().values().none()) {
                all.addAll(DistinctValues.decode(each.partial().values().bytes()));
            }
            assertThat(each.partial().newestTime() / 1000)
                    .isEqualTo(each.partial().pane());
        }
        assertThat(all.count()).isEqualTo(MARK);
    }

    @Test
    void newEpoch_losesWhatIsHeldBackAndDoublesNothing() {
        admit("acme", TIME, MARK - 1);

        meter.begin(8);
        crowd(TIME);
        admit("acme", TIME, 1);
        assertThat(drained("acme")).isZero();

        admit("acme", TIME, MARK - 1);
        assertThat(drained("acme")).isEqualTo(MARK);
    }

    @Test
    void noRoom_unknownSubjectsAreCountedAndKnownOnesStay() {
        Counts counts = new Counts();
        HeapBudget little = new HeapBudget(400_000);
        try (Meter full = new Meter(3, 4, TestBudgets.TIMES, little, counts)) {
            full.policies(POLICIES);
            List<UsageKey> keys = new ArrayList<>();
            for (int i = 0; i < 100_000; i++) {
                full.add(admitted("caller-" + i, TIME));
            }
            full.drainAll((key, partial) -> keys.add(key));

            assertThat(keys).hasSizeBetween(90_000, 99_999);
            assertThat(counts.of(Count.NO_ROOM)).isPositive();
            assertThat(little.used(Account.METERS)).isBetween(1L, 400_000L);
        }
        assertThat(little.used(Account.METERS)).isZero();
    }

    /** The subject stays in the older of the two tables until there is room, and what is held of it with it. */
    @Test
    void watchWithoutRoomToMove_isObservedOnceThereIsRoom() {
        Counts counts = new Counts();
        HeapBudget little = new HeapBudget(400_000);
        long later = TIME + 75_000;
        UsageKey acme = new UsageKey(POLICIES.policies().get(0).revision(), List.of("acme"));
        try (Meter full = new Meter(3, 4, TestBudgets.TIMES, little, counts)) {
            full.policies(POLICIES);
            for (int i = 0; i < 10_000; i++) {
                full.add(admitted("large", TIME));
                full.add(admitted("large", later));
            }
            full.add(admitted("acme", later));
            full.add(admitted("large", later + 2_000));
            try (Meter other = new Meter(2, 4, TestBudgets.TIMES, little, new Counts())) {
                other.policies(POLICIES);
                for (int i = 0; i < 10_000; i++) {
                    other.add(admitted("other-" + i, later));
                }
                for (int i = 0; counts.of(Count.NO_ROOM) == 0; i++) {
                    full.add(admitted("caller-" + i, later + 2_000));
                }
                full.drainAll((key, partial) -> {});
                full.watch(acme, later + 10_000);
            }
            full.add(admitted("acme", later + 2_000));

            List<Long> sums = new ArrayList<>();
            full.drainAll((key, partial) -> {
                if (key.subject().equals(List.of("acme"))) {
                    sums.add(partial.admitted());
                }
            });
            assertThat(sums)
                    .as("that of the pane that was held back, and the new one")
                    .containsExactlyInAnyOrder(1L, 1L);
        }
    }

    @Test
    void subjectsOfAWindowAgo_leaveTheHeap() {
        for (int window = 1; window <= 40; window++) {
            crowd(TIME + window * 80_000L);
        }

        assertThat(meter.known()).isLessThan(256 * 2 * MARK * 3);
        assertThat(heap.used(Account.METERS)).isLessThan(4_000_000);
    }

    @Test
    void activeSubjects_areReportedQuietOnesToo() throws Exception {
        List<UsagePartial> active = new ArrayList<>();
        meter.drainActive((key, partial) -> active.add(partial));

        assertThat(active)
                .singleElement()
                .satisfies(it -> assertThat(
                                DistinctValues.decode(it.values().bytes()).count())
                        .isBetween((long) (others * 0.93), (long) (others * 1.07)));

        meter.drainActive((key, partial) -> active.add(partial));
        assertThat(active).hasSize(1);
    }

    @Test
    void activeSubjectsOfTheEndOfAWindowLength_areReportedThoughTheNextHasBegun() throws Exception {
        long begin = TIME + 50_000;
        for (int i = 0; i < 20; i++) {
            admit("early-" + i, begin + 100, 1);
        }
        meter.drainActive((key, partial) -> {});
        for (int i = 0; i < 30; i++) {
            admit("late-" + i, begin + 9_900, 1);
        }
        admit("next", begin + 10_050, 1);

        List<UsagePartial> active = new ArrayList<>();
        meter.drainActive((key, partial) -> active.add(partial));

        assertThat(active).extracting(UsagePartial::newestTime).containsExactly(begin + 9_900, begin + 10_050);
        assertThat(DistinctValues.decode(active.get(0).values().bytes()).count())
                .isEqualTo(50);
        assertThat(DistinctValues.decode(active.get(1).values().bytes()).count())
                .isEqualTo(1);
        active.clear();
        meter.drainActive((key, partial) -> active.add(partial));
        assertThat(active).isEmpty();
    }
}
