package io.sluice.analyzer.meter;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.TaskBudget;

/** The heap that a kind of objects of a meter may take; counts what was refused. */
record MeterRoom(TaskBudget budget, Account account, Counts counts) implements QuietTables.Room {
    @Override
    public boolean has(long bytes) {
        boolean has = budget.hasRoom(account, bytes);
        if (!has) {
            counts.add(Count.NO_ROOM, account.label());
        }
        return has;
    }

    @Override
    public void add(long bytes) {
        budget.add(account, bytes);
    }
}
