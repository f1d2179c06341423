package io.sluice.analyzer.decide;

import io.sluice.analyzer.Counts;
import io.sluice.analyzer.budget.TaskBudget;
import io.sluice.analyzer.history.Baseline;
import io.sluice.analyzer.window.Histories;
import io.sluice.analyzer.window.WindowStore;
import io.sluice.analyzer.window.Windows;

/** The windows of a task's subjects and groups in one store, and the newest block among them. Confined to one thread. */
final class TaskWindows {
    private final Windows subjects;
    private final Windows groups;
    private final Histories<Baseline> groupTimes;
    private final NewestBlock newestBlock;

    TaskWindows(WindowStore store, LeaseStore state, TaskBudget budget) {
        subjects = new Windows(store, UsageTask.WINDOWS, budget);
        groups = new Windows(store, 'g', budget);
        groupTimes = new Histories<>(store, 'h', budget, Baseline::decode);
        newestBlock = new NewestBlock(state);
    }

    Windows subjects() {
        return subjects;
    }

    Windows groups() {
        return groups;
    }

    Histories<Baseline> groupTimes() {
        return groupTimes;
    }

    /** @param firstLife whether there was no epoch before */
    void begin(boolean firstLife, Counts counts) {
        long newestStart = newestBlock.begin(firstLife, counts);
        subjects.begin(newestStart);
        groups.begin(newestStart);
    }

    /** Writes what has changed to the store. */
    void flush() {
        subjects.flush();
        groups.flush();
        groupTimes.flush();
        newestBlock.flush(Math.max(subjects.newestStart(), groups.newestStart()));
    }
}
