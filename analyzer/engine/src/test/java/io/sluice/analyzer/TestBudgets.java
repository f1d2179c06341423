package io.sluice.analyzer;

import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.analyzer.budget.TaskBudget;
import io.sluice.analyzer.meter.EventTimes;
import io.sluice.analyzer.meter.Meter;

/** Budgets for one task. */
public final class TestBudgets {
    /** The analyzer's own times. */
    public static final EventTimes TIMES = new EventTimes(5_000, 60_000);

    /** A window of one or two panes whose caller has a short name. */
    private static final long WINDOW_BYTES = 320;

    private TestBudgets() {}

    /** As much as a test needs. */
    public static HeapBudget heap() {
        return new HeapBudget(1L << 30);
    }

    /** As much as a test needs, for one task alone. */
    public static TaskBudget task() {
        return heap().join(HeapBudget.Kind.DECIDE);
    }

    /** Room for about so many windows. */
    public static TaskBudget windows(int most) {
        return new HeapBudget(most * WINDOW_BYTES).join(HeapBudget.Kind.DECIDE);
    }

    /** A meter with room for all. */
    public static Meter meter(int task, int partitions) {
        return new Meter(task, partitions, TIMES, heap(), new Counts());
    }
}
