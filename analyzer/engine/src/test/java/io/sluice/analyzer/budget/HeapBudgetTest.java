package io.sluice.analyzer.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class HeapBudgetTest {
    private final HeapBudget budget = new HeapBudget(8_000);

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
        TaskBudget first = budget.join();
        assertThat(first.hasRoom(Account.LOCKS, 1_000)).isTrue();
        assertThat(first.hasRoom(Account.LOCKS, 1_001)).isFalse();

        TaskBudget second = budget.join();
        assertThat(first.hasRoom(Account.LOCKS, 501)).isFalse();

        second.close();
        assertThat(first.hasRoom(Account.LOCKS, 1_000)).isTrue();
    }

    @Test
    void take_beyondAnAccountsPart_isRefusedAndTakesNothing() {
        TaskBudget task = budget.join();

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
        TaskBudget task = budget.join();

        assertThat(budget.takeShared(Account.LOADS, 2_000)).isTrue();
        assertThat(budget.takeShared(Account.LOADS, 1)).isFalse();
        assertThat(budget.used(Account.LOADS)).isEqualTo(2_000);
        assertThat(task.hasRoom(Account.LOCKS, 750)).isTrue();
        assertThat(task.hasRoom(Account.LOCKS, 751)).isFalse();

        budget.releaseShared(2_000);
        assertThat(task.hasRoom(Account.LOCKS, 1_000)).isTrue();
    }

    @Test
    void aPool_mayUseWhatTheOthersLeave_andIsSureOfAnEvenPart() {
        TaskBudget task = budget.join();
        TaskBudget.Pool large = pool(task);
        TaskBudget.Pool small = pool(task);
        large.add(7_000);
        assertThat(large.limit()).isEqualTo(8_000);

        small.add(1_000);
        assertThat(large.limit()).isEqualTo(7_000);
        assertThat(small.limit()).isEqualTo(4_000);

        small.add(500);
        small.settle();
        assertThat(large.bytes()).isEqualTo(3_500);
        assertThat(small.bytes()).isEqualTo(1_500);
    }

    @Test
    void pools_makeRoomForWhatCannotBeEvicted() {
        TaskBudget task = budget.join();
        TaskBudget.Pool pool = pool(task);
        pool.add(7_900);

        task.add(Account.LOCKS, 1_000);
        pool.settle();

        assertThat(pool.bytes()).isEqualTo(3_950);
    }
}
