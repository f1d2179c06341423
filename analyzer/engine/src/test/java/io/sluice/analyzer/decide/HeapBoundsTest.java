package io.sluice.analyzer.decide;

import static io.sluice.analyzer.TestPolicies.policies;
import static io.sluice.analyzer.decide.Rig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.TestEvents;
import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.analyzer.window.InMemoryWindowStore;
import io.sluice.contract.lock.Mode;
import io.sluice.testing.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The state of a task stays within its bytes, whatever callers invent, and degrades as documented. */
class HeapBoundsTest {
    private static final long BYTES = 1 << 20;
    /** One object of each kind may be held although nothing is left. */
    private static final long SLACK = 8_192;

    private static final String EVERY_HISTORY = "{'name':'p','per':['caller'],'window':'1m','lock':{'when':["
            + "{'above':1000},{'spike':10,'floor':1000,'baseline':'1h'},{'share':'50%','of':[],'whenOthersSlow':2}]}},"
            + "{'name':'d','per':['caller'],'window':'1m','lock':{'when':[{'above':5}],'for':'debt'}}";

    private final HeapBudget heap = new HeapBudget(BYTES);

    private Rig rig(int meters, String policies) {
        Rig rig = new Rig(new InMemoryLeaseStore(), new InMemoryWindowStore(), heap, TaskSettings.of(0, 1, meters));
        rig.policies(policies(policies));
        return rig;
    }

    private long used() {
        long used = 0;
        for (Account account : Account.values()) {
            used += heap.used(account);
        }
        return used;
    }

    @Tag(Seeds.TAG)
    @Test
    void windowsAndHistories_ofOneTimeCallers_areEvictedAndReadAgain() {
        Rig rig = rig(1, EVERY_HISTORY);
        rig.admit("first", 5, TIME);
        for (int i = 0; i < Seeds.of(6_000, 20_000); i++) {
            rig.meter.add(TestEvents.admitted("caller-" + i, TIME));
            if (i % 500 == 499) {
                rig.passed(TIME);
                assertThat(used()).isBetween(1L, BYTES + SLACK);
            }
        }
        assertThat(heap.used(Account.WINDOWS)).isGreaterThan(BYTES / 20);
        assertThat(heap.used(Account.HISTORIES)).isGreaterThan(BYTES / 20);

        rig.admit("first", 1, TIME + 100);

        assertThat(rig.said).singleElement().satisfies(lock -> {
            assertThat(lock.policy()).isEqualTo("d");
            assertThat(lock.evidence().observed()).isGreaterThan(5);
        });
    }

    @Test
    void groups_beyondTheirPart_areDroppedAndCounted_andTheOthersAreStillJudged() {
        Rig rig = rig(
                1,
                "{'name':'s','per':['caller','service'],'window':'10s','panes':10,"
                        + "'lock':{'when':[{'share':'50%','of':['service'],'beyond':10}]}}");
        // a window of load must have passed before a share is known
        for (long time = TIME; time < TIME + 12_000; time += 1_000) {
            rig.event(TestEvents.admitted("calm", "orders", time));
        }
        for (int i = 0; i < 20_000; i++) {
            rig.meter.add(TestEvents.admitted("caller", "invented-" + i, TIME + 12_000));
            if (i % 500 == 499) {
                rig.passed(TIME + 12_000);
                assertThat(heap.used(Account.GROUPS)).isLessThanOrEqualTo(BYTES / 16);
                assertThat(heap.used(Account.LOADS)).isLessThanOrEqualTo(BYTES / 4);
            }
        }
        assertThat(rig.counts.of(Count.NO_ROOM, "groups")).isPositive();
        assertThat(used()).isLessThanOrEqualTo(BYTES + SLACK);
        assertThat(rig.said).isEmpty();

        for (int i = 0; i < 60; i++) {
            rig.event(TestEvents.admitted("hog", "orders", TIME + 12_500));
        }
        rig.passed(TIME + 14_000);

        assertThat(rig.said)
                .singleElement()
                .satisfies(lock -> assertThat(lock.subject()).containsExactly("hog", "orders"));
    }

    @Test
    void candidates_ofGroupsThatFoundNoRoom_makeRoomAfterTheirWindow() {
        Rig rig = rig(
                1,
                "{'name':'s','per':['caller','service'],'window':'10s','panes':10,"
                        + "'lock':{'when':[{'share':'50%','of':['service'],'beyond':10}]}}");
        long crowded = TIME + 12_000;
        for (long time = TIME; time < crowded; time += 1_000) {
            rig.event(TestEvents.admitted("calm", "orders", time));
        }
        for (int i = 0; i < 2_000; i++) {
            for (int requests = 0; requests < 11; requests++) {
                rig.meter.add(TestEvents.admitted("caller", "invented-" + i, crowded));
            }
            if (i % 50 == 49) {
                rig.passed(crowded);
            }
        }
        assertThat(rig.counts.of(Count.NO_ROOM, "candidates")).isPositive();

        // the window, lateness, skew, and the time between two sweeps
        long later = crowded + 10_000 + 65_000 + 10_000;
        for (long time = crowded; time <= later; time += 1_000) {
            rig.event(TestEvents.admitted("calm", "orders", time));
        }
        for (int i = 0; i < 60; i++) {
            rig.event(TestEvents.admitted("hog", "orders", later + 500));
        }
        rig.passed(later + 2_000);

        assertThat(rig.said)
                .singleElement()
                .satisfies(lock -> assertThat(lock.subject()).containsExactly("hog", "orders"));
        assertThat(heap.used(Account.CANDIDATES)).isZero();
    }

    @Test
    void groups_thatAreOver_makeRoomForOthers() {
        Rig rig = rig(
                1,
                "{'name':'s','per':['caller','service'],'window':'10s','panes':10,"
                        + "'lock':{'when':[{'share':'50%','of':['service']}]}}");
        for (int i = 0; i < 2_000; i++) {
            rig.meter.add(TestEvents.admitted("caller", "invented-" + i, TIME));
        }
        rig.passed(TIME);
        long crowded = heap.used(Account.GROUPS);

        rig.passed(TIME + 1_000);
        rig.passed(TIME + 200_000);

        assertThat(crowded).isPositive();
        assertThat(heap.used(Account.GROUPS)).isZero();
        assertThat(heap.used(Account.LOADS)).isZero();
    }

    @Test
    void candidates_whileAMeterIsSilent_areBoundedAndAskedLater() {
        Rig rig = rig(
                2,
                "{'name':'s','per':['caller'],'window':'10s','panes':10,"
                        + "'lock':{'when':[{'share':'0.001%','of':[]}]}}");
        for (int i = 0; i < 20_000; i++) {
            rig.meter.add(TestEvents.admitted("caller-" + i, TIME));
            if (i % 500 == 499) {
                rig.passed(TIME);
                assertThat(heap.used(Account.CANDIDATES)).isLessThanOrEqualTo(BYTES / 16);
            }
        }

        assertThat(rig.counts.of(Count.NO_ROOM, "candidates")).isPositive();
        rig.task.discard();
        assertThat(heap.used(Account.CANDIDATES)).isZero();
    }

    @Test
    void shadows_beyondTheirPart_areNotOpened_andTakeNoRoomOfLocks() {
        Rig rig = rig(
                1,
                "{'name':'look','per':['caller'],'lock':{'when':[{'above':0}],'mode':'shadow','for':'1h'}},"
                        + "{'name':'act','per':['caller'],'lock':{'when':[{'above':50}],'mode':'block','for':'1h'}}");
        for (int i = 0; i < 5_000; i++) {
            rig.meter.add(TestEvents.admitted("caller-" + i, TIME));
        }
        rig.passed(TIME);

        assertThat(heap.used(Account.SHADOWS)).isBetween(BYTES / 40, BYTES / 32);
        assertThat(rig.counts.of(Count.NO_ROOM, "shadows")).isPositive();
        assertThat(rig.said).allMatch(lock -> lock.mode() == Mode.SHADOW);

        rig.admit("noisy", 51, TIME + 100);

        assertThat(rig.last().mode()).isEqualTo(Mode.BLOCK);
        assertThat(heap.used(Account.LOCKS)).isPositive();
    }

    @Test
    void looks_atManyLocks_areSpreadOverTicks() {
        HeapBudget large = new HeapBudget(1L << 30);
        Rig rig = new Rig(new InMemoryLeaseStore(), new InMemoryWindowStore(), large, TaskSettings.of(0, 1, 1));
        rig.policies(
                policies("{'name':'look','per':['caller'],'lock':{'when':[{'above':0}],'mode':'shadow','for':'1m'}}"));
        for (int i = 0; i < 2_500; i++) {
            rig.meter.add(TestEvents.admitted("caller-" + i, TIME));
        }
        rig.passed(TIME);
        assertThat(rig.task.locks()).isEqualTo(2_500);

        long after = TIME + 3_600_000;
        rig.task.tick(after);
        assertThat(rig.task.locks()).isEqualTo(1_500);
        rig.task.tick(after + 5);
        assertThat(rig.task.locks()).isEqualTo(500);
        rig.task.tick(after + 10);
        assertThat(rig.task.locks()).isZero();
        assertThat(large.used(Account.SHADOWS)).isZero();
    }

    @Test
    void restoredShadows_thatDoNotFit_areRemoved() {
        String shadows = "{'name':'look','per':['caller'],'lock':{'when':[{'above':0}],'mode':'shadow','for':'1h'}}";
        InMemoryLeaseStore state = new InMemoryLeaseStore();
        Rig before = new Rig(state, new InMemoryWindowStore(), new HeapBudget(1L << 30), TaskSettings.of(0, 1, 1));
        before.policies(policies(shadows));
        for (int i = 0; i < 2_000; i++) {
            before.meter.add(TestEvents.admitted("caller-" + i, TIME));
        }
        before.passed(TIME);
        assertThat(before.task.locks()).isEqualTo(2_000);

        Rig after = new Rig(state, new InMemoryWindowStore(), heap, TaskSettings.of(0, 1, 1));

        assertThat(heap.used(Account.SHADOWS)).isBetween(BYTES / 40, BYTES / 32);
        assertThat(after.task.locks()).isBetween(1, 200);
        assertThat(after.tombstones).isEmpty();
        Rig later = new Rig(state, new InMemoryWindowStore(), new HeapBudget(1L << 30), TaskSettings.of(0, 1, 1));
        assertThat(later.task.locks()).isEqualTo(after.task.locks());
    }
}
