package io.sluice.analyzer.budget;

import java.util.Locale;

/** A use of the bytes of a {@link HeapBudget}, and what happens when they are used up. */
public enum Account {
    /** Windows of subjects and groups. Evicted to the store, from where they are read again. */
    WINDOWS(32),
    /** Baselines and debts. Evicted to the store, from where they are read again. */
    HISTORIES(32),
    /** Groups of {@code share} that a task publishes. Further groups are not published: their shares are not known. */
    GROUPS(2),
    /** The newest loads of all groups, one copy for all tasks. Loads of further groups are dropped: their shares are not known. */
    LOADS(8),
    /** Quiet subjects of meters. Further subjects are counted as if they were loud. */
    METERS(18),
    /** Subjects that meters hold nothing back of, because a decide task watches them. Further ones are not watched: their locks may come later. */
    WATCHES(2),
    /** Sums that a meter gathers between two commits. When they take more, they leave at once. */
    SUMS(2),
    /** Subjects that wait for a load. Further subjects are looked at when their next usage arrives. */
    CANDIDATES(2),
    /** Locks that close gates, or do not only because of the guard. Further locks are not opened. */
    LOCKS(2),
    /** Locks of policies in {@code shadow} mode. Further ones are not opened; they never take the room of {@link #LOCKS}. */
    SHADOWS(1);

    private static final int PARTS = 32;

    private final int parts;

    Account(int parts) {
        this.parts = parts;
    }

    /** Returns the bytes of a budget that the account may take. */
    long most(long bytes) {
        return bytes * parts / PARTS;
    }

    /** Its name in metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
