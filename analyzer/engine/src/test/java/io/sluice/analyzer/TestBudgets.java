package io.sluice.analyzer;

import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.analyzer.budget.TaskBudget;

/** Budgets for one task. */
public final class TestBudgets {
    /** A window of one or two panes whose caller has a short name. */
    private static final long WINDOW_BYTES = 320;

    private TestBudgets() {}

    /** As much as a test needs. */
    public static HeapBudget heap() {
        return new HeapBudget(1L << 30);
    }

    /** As much as a test needs, for one task alone. */
    public static TaskBudget task() {
        return heap().join();
    }

    /** Room for about so many windows. */
    public static TaskBudget windows(int most) {
        return new HeapBudget(most * WINDOW_BYTES).join();
    }
}
