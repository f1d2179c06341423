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
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Of each group, the subjects that may be over once its load has caught up. While a load is unknown that may be every
 * subject, so their number is bounded by the task's budget: what does not fit is added when its next usage arrives. A
 * group whose load does not arrive, because there was no room for it, leaves when its window has passed. One thread.
 */
final class Candidates {
    /** An entry of a set or a map; about what a group's set takes without its subjects. */
    private static final long ENTRY_BYTES = 100;

    private static final long SWEEP_MILLIS = 10_000;

    private final TaskBudget budget;
    private final Counts counts;
    private final Map<UsageKey, Waiting> groups = new HashMap<>();
    private long swept = Long.MIN_VALUE;

    /** The subjects of a group, and the time of their newest event. */
    private static final class Waiting {
        final Set<UsageKey> subjects = new LinkedHashSet<>();
        long newestTime;
    }

    Candidates(TaskBudget budget, Counts counts) {
        this.budget = budget;
        this.counts = counts;
    }

    /** @param newestTime event time of the subject's newest event, epoch milliseconds */
    void add(UsageKey group, UsageKey subject, long newestTime) {
        Waiting known = groups.get(group);
        if (known != null && known.subjects.contains(subject)) {
            known.newestTime = Math.max(known.newestTime, newestTime);
            return;
        }
        long bytes = bytes(subject) + (known == null ? bytes(group) : 0);
        if (!budget.take(Account.CANDIDATES, bytes)) {
            counts.add(Count.NO_ROOM, Account.CANDIDATES.label());
            return;
        }
        Waiting waiting = groups.computeIfAbsent(group, any -> new Waiting());
        waiting.subjects.add(subject);
        waiting.newestTime = Math.max(waiting.newestTime, newestTime);
    }

    private static long bytes(UsageKey key) {
        return ENTRY_BYTES + key.heapBytes();
    }

    /** Asks all subjects of a group, and removes those for which the answer is yes. */
    void removeIf(UsageKey group, Predicate<UsageKey> settled) {
        Waiting asked = groups.get(group);
        if (asked == null) {
            return;
        }
        asked.subjects.removeIf(subject -> {
            boolean remove = settled.test(subject);
            if (remove) {
                budget.add(Account.CANDIDATES, -bytes(subject));
            }
            return remove;
        });
        if (asked.subjects.isEmpty()) {
            budget.add(Account.CANDIDATES, -bytes(group));
            groups.remove(group);
        }
    }

    /**
     * Removes the groups that are too old for a load to count them, every ten seconds.
     *
     * @param asOf the position of all meters, epoch milliseconds; {@link Long#MIN_VALUE} while it is unknown
     * @param spanMillis for how long after its newest event a group counts
     */
    void sweep(long asOf, ToLongFunction<UsageKey> spanMillis) {
        if (asOf < swept + SWEEP_MILLIS) {
            return;
        }
        swept = asOf;
        removeIf((group, waiting) -> waiting.newestTime + spanMillis.applyAsLong(group) < asOf);
    }

    /** Removes all groups but these. */
    void retain(Predicate<UsageKey> kept) {
        removeIf((group, waiting) -> !kept.test(group));
    }

    private void removeIf(BiPredicate<UsageKey, Waiting> gone) {
        groups.entrySet().removeIf(entry -> {
            boolean remove = gone.test(entry.getKey(), entry.getValue());
            if (remove) {
                release(entry.getKey(), entry.getValue());
            }
            return remove;
        });
    }

    private void release(UsageKey group, Waiting waiting) {
        budget.add(Account.CANDIDATES, -bytes(group));
        waiting.subjects.forEach(subject -> budget.add(Account.CANDIDATES, -bytes(subject)));
    }

    void clear() {
        groups.forEach(this::release);
        groups.clear();
        swept = Long.MIN_VALUE;
    }
}
