package io.sluice.analyzer.meter;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.TaskBudget;

/** The heap that the quiet subjects of a meter may take; counts what was refused. */
record MeterRoom(TaskBudget budget, Counts counts) implements QuietTables.Room {
    @Override
    public boolean has(long bytes) {
        boolean has = budget.hasRoom(Account.METERS, bytes);
        if (!has) {
            counts.add(Count.NO_ROOM, Account.METERS.label());
        }
        return has;
    }

    @Override
    public void add(long bytes) {
        budget.add(Account.METERS, bytes);
    }
}
