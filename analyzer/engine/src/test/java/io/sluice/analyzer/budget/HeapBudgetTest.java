package io.sluice.analyzer.budget;

import static io.sluice.analyzer.budget.HeapBudget.Kind.DECIDE;
import static io.sluice.analyzer.budget.HeapBudget.Kind.METER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class HeapBudgetTest {
    private final HeapBudget budget = new HeapBudget(16_000);

    /** A pool that evicts half of itself. */
    private static TaskBudget.Pool pool(TaskBudget task) {
        AtomicReference<TaskBudget.Pool> pool = new AtomicReference<>();
        pool.set(task.pool(Account.WINDOWS, () -> pool.get().add(-pool.get().bytes() / 2)));
        return pool.get();
    }

    @Test
    void ofHeap_isAThird() {
        assertThat(HeapBudget.ofHeap(900).bytes()).isEqualTo(300);
        assertThat(HeapBudget.ofHeap(0).bytes()).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> new HeapBudget(0)).withMessageContaining("0 bytes");
    }

    @Test
    void tasksThatRunHere_divideItEvenly_andLeaveTheirPartBehind() {
        TaskBudget first = budget.join(DECIDE);
        assertThat(first.hasRoom(Account.LOCKS, 1_000)).isTrue();
        assertThat(first.hasRoom(Account.LOCKS, 1_001)).isFalse();

        TaskBudget second = budget.join(DECIDE);
        assertThat(first.hasRoom(Account.LOCKS, 501)).isFalse();

        second.close();
        assertThat(first.hasRoom(Account.LOCKS, 1_000)).isTrue();
    }

    @Test
    void take_beyondAnAccountsPart_isRefusedAndTakesNothing() {
        TaskBudget task = budget.join(DECIDE);

        assertThat(task.take(Account.GROUPS, 900)).isTrue();
        assertThat(task.take(Account.GROUPS, 101)).isFalse();
        assertThat(task.take(Account.CANDIDATES, 900)).isTrue();
        task.add(Account.GROUPS, -500);
        assertThat(task.take(Account.GROUPS, 101)).isTrue();

        assertThat(budget.used(Account.GROUPS)).isEqualTo(501);
        assertThat(budget.used(Account.CANDIDATES)).isEqualTo(900);
    }

    @Test
    void whatAllTasksShare_comesFirst() {
        TaskBudget task = budget.join(DECIDE);

        assertThat(budget.takeShared(Account.LOADS, 4_000)).isTrue();
        assertThat(budget.takeShared(Account.LOADS, 1)).isFalse();
        assertThat(budget.used(Account.LOADS)).isEqualTo(4_000);
        assertThat(task.hasRoom(Account.LOCKS, 750)).isTrue();
        assertThat(task.hasRoom(Account.LOCKS, 751)).isFalse();

        budget.releaseShared(4_000);
        assertThat(task.hasRoom(Account.LOCKS, 1_000)).isTrue();
    }

    @Test
    void aPool_mayUseWhatTheOthersLeave_andIsSureOfAnEvenPart() {
        TaskBudget task = budget.join(DECIDE);
        TaskBudget.Pool large = pool(task);
        TaskBudget.Pool small = pool(task);
        large.add(15_000);
        assertThat(large.limit()).isEqualTo(16_000);

        small.add(1_000);
        assertThat(large.limit()).isEqualTo(15_000);
        assertThat(small.limit()).isEqualTo(8_000);

        small.add(500);
        small.settle();
        assertThat(large.bytes()).isEqualTo(7_500);
        assertThat(small.bytes()).isEqualTo(1_500);
    }

    @Test
    void pools_makeRoomForWhatCannotBeEvicted() {
        TaskBudget task = budget.join(DECIDE);
        TaskBudget.Pool pool = pool(task);
        pool.add(15_900);

        task.add(Account.LOCKS, 1_000);
        pool.settle();

        assertThat(pool.bytes()).isEqualTo(7_950);
    }

    @Test
    void meters_shareMoreThanHalf_whateverNumberOfTasksDecides() {
        TaskBudget meter = budget.join(METER);
        budget.join(DECIDE);
        budget.join(DECIDE);
        assertThat(meter.hasRoom(Account.METERS, 9_000)).isTrue();
        assertThat(meter.hasRoom(Account.METERS, 9_001)).isFalse();

        budget.join(METER);
        assertThat(meter.hasRoom(Account.METERS, 4_500)).isTrue();
        assertThat(meter.hasRoom(Account.METERS, 4_501)).isFalse();
    }

    @Test
    void pools_mayUseWhatMetersLeave_andEvictWhenTheyTakeIt() {
        TaskBudget meter = budget.join(METER);
        TaskBudget.Pool pool = pool(budget.join(DECIDE));
        pool.add(15_000);
        pool.settle();
        assertThat(pool.bytes()).isEqualTo(15_000);

        meter.take(Account.METERS, 9_000);
        pool.settle();
        assertThat(pool.bytes()).isEqualTo(7_500);
        assertThat(pool.limit()).isEqualTo(7_000);

        meter.close();
        assertThat(pool.limit()).isEqualTo(16_000);
    }
}
