package io.sluice.analyzer.load;

import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.TaskBudget;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * The groups of a task whose loads stand on the loads topic, each with the time after which its load is of no use. The topic
 * is compacted, so a load stays until its task withdraws it. Loads that earlier epochs of the task published, or another
 * instance that ran it, are found in the {@link LoadBook}. One thread.
 */
final class PublishedLoads {
    private static final long SWEEP_MILLIS = 10_000;
    /** Looking through all loads costs a hash of each key: rarely, for what another instance published last. */
    private static final long SCAN_MILLIS = 10 * 60_000;

    private static final long NEVER = Long.MIN_VALUE;
    /** Entries of three maps, and a time. */
    private static final long ENTRY_BYTES = 200;

    private final LoadBook book;
    private final Predicate<UsageKey> owned;
    private final TaskBudget budget;
    private final Map<UsageKey, Long> usefulUntil = new HashMap<>();
    private long swept = NEVER;
    private long scanned = NEVER;

    /**
     * @param book all loads of all tasks, as read from the topic
     * @param owned whether a group belongs to this task
     * @param budget pays for groups that are found; that of groups that are added was asked before
     */
    PublishedLoads(LoadBook book, Predicate<UsageKey> owned, TaskBudget budget) {
        this.book = book;
        this.owned = owned;
        this.budget = budget;
    }

    /** Returns about how many bytes of heap a group takes. */
    static long bytes(UsageKey group) {
        return ENTRY_BYTES + group.heapBytes();
    }

    /** Returns whether a group's load stands on the topic. */
    boolean contains(UsageKey group) {
        return usefulUntil.containsKey(group);
    }

    /** Notes that a group's load was published, and is of use until so many epoch milliseconds. */
    void add(UsageKey group, long until) {
        usefulUntil.put(group, until);
    }

    /**
     * Withdraws what is of no use any more, every ten seconds.
     *
     * @param asOf the position of all meters, epoch milliseconds
     * @param spanMillis for how long after its {@code asOf} a group's load is of use
     * @param kept whether a group will be published again
     */
    void sweep(long asOf, ToLongFunction<UsageKey> spanMillis, Predicate<UsageKey> kept, LoadSink sink) {
        if (swept != NEVER && asOf < swept + SWEEP_MILLIS) {
            return;
        }
        swept = asOf;
        if (scanned == NEVER || asOf >= scanned + SCAN_MILLIS) {
            scanned = asOf;
            book.forEach((group, load) -> find(group, load, spanMillis));
        }
        usefulUntil.entrySet().removeIf(entry -> {
            UsageKey group = entry.getKey();
            boolean gone = entry.getValue() < asOf && !kept.test(group) && !renewed(group, asOf, spanMillis);
            if (gone) {
                sink.gone(group);
                budget.add(Account.GROUPS, -bytes(group));
            }
            return gone;
        });
    }

    /** Returns whether another task has published it again: watches are those of the subject's task, and withdrawn by the task of their own key. */
    private boolean renewed(UsageKey group, long asOf, ToLongFunction<UsageKey> spanMillis) {
        Load newest = book.load(group);
        return newest != null && newest.asOf() + spanMillis.applyAsLong(group) >= asOf;
    }

    private void find(UsageKey group, Load load, ToLongFunction<UsageKey> spanMillis) {
        if (owned.test(group)) {
            if (!usefulUntil.containsKey(group)) {
                budget.add(Account.GROUPS, bytes(group));
            }
            // numbers of active subjects are published again and again without being added here
            usefulUntil.merge(group, load.asOf() + spanMillis.applyAsLong(group), Math::max);
        }
    }

    /** Removes all that is in heap. */
    void discard() {
        usefulUntil.keySet().forEach(group -> budget.add(Account.GROUPS, -bytes(group)));
        usefulUntil.clear();
        swept = NEVER;
        scanned = NEVER;
    }
}
