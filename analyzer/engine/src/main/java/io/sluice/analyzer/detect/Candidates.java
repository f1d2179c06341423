package io.sluice.analyzer.detect;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.Counts;
import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.TaskBudget;
import io.sluice.contract.usage.UsageKey;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Of each group, the subjects that may be over once its load has caught up. While a load is unknown that may be every
 * subject, so their number is bounded by the task's budget: what does not fit is added when its next usage arrives. One
 * thread.
 */
final class Candidates {
    /** An entry of a set or a map; about what a group's set takes without its subjects. */
    private static final long ENTRY_BYTES = 100;

    private final TaskBudget budget;
    private final Counts counts;
    private final Map<UsageKey, Set<UsageKey>> subjects = new HashMap<>();

    Candidates(TaskBudget budget, Counts counts) {
        this.budget = budget;
        this.counts = counts;
    }

    void add(UsageKey group, UsageKey subject) {
        Set<UsageKey> known = subjects.get(group);
        if (known != null && known.contains(subject)) {
            return;
        }
        long bytes = bytes(subject) + (known == null ? bytes(group) : 0);
        if (!budget.take(Account.CANDIDATES, bytes)) {
            counts.add(Count.NO_ROOM, Account.CANDIDATES.label());
            return;
        }
        subjects.computeIfAbsent(group, any -> new LinkedHashSet<>()).add(subject);
    }

    private static long bytes(UsageKey key) {
        return ENTRY_BYTES + key.heapBytes();
    }

    /** Asks all subjects of a group, and removes those for which the answer is yes. */
    void removeIf(UsageKey group, Predicate<UsageKey> settled) {
        Set<UsageKey> asked = subjects.get(group);
        if (asked == null) {
            return;
        }
        asked.removeIf(subject -> {
            boolean remove = settled.test(subject);
            if (remove) {
                budget.add(Account.CANDIDATES, -bytes(subject));
            }
            return remove;
        });
        if (asked.isEmpty()) {
            budget.add(Account.CANDIDATES, -bytes(group));
            subjects.remove(group);
        }
    }

    /** Removes all groups but these. */
    void retain(Predicate<UsageKey> kept) {
        subjects.entrySet().removeIf(entry -> {
            boolean remove = !kept.test(entry.getKey());
            if (remove) {
                release(entry.getKey(), entry.getValue());
            }
            return remove;
        });
    }

    private void release(UsageKey group, Set<UsageKey> of) {
        budget.add(Account.CANDIDATES, -bytes(group));
        of.forEach(subject -> budget.add(Account.CANDIDATES, -bytes(subject)));
    }

    void clear() {
        subjects.forEach(this::release);
        subjects.clear();
    }
}
