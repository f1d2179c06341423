package io.sluice.analyzer.load;

import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.HeapBudget;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The newest load of every group, as read from the loads topic. Beyond its part of the heap budget the loads of further groups are left out
 * and counted. Thread-safe: one thread writes, tasks read.
 */
public final class LoadBook {
    /** A load and its entry in the map, without its panes. */
    private static final long ENTRY_BYTES = 200;

    private final HeapBudget budget;
    private final LongAdder leftOut = new LongAdder();
    private final LongAdder accepted = new LongAdder();
    private final Map<UsageKey, Load> loads = new ConcurrentHashMap<>();
    private final List<Changes> readers = new CopyOnWriteArrayList<>();

    /** @param budget pays for the loads */
    public LoadBook(HeapBudget budget) {
        this.budget = budget;
    }

    /** A newer load; one that is older than what is known is ignored: its writer was replaced. */
    public void accept(UsageKey group, Load load) {
        accepted.increment();
        Load before = loads.get(group);
        if (before != null && before.asOf() > load.asOf()) {
            return;
        }
        long more = bytes(group, load) - (before == null ? 0 : bytes(group, before));
        if (!budget.takeShared(Account.LOADS, more)) {
            if (before == null) {
                leftOut.increment();
                return;
            }
            budget.releaseShared(-more);
        }
        loads.put(group, load);
        for (Changes reader : readers) {
            if (reader.groups.test(group)) {
                reader.changed.add(group);
            }
        }
    }

    private static long bytes(UsageKey group, Load load) {
        int columns = load.service() == null ? 3 : 4;
        return ENTRY_BYTES + group.heapBytes() + (long) load.panes() * columns * Long.BYTES;
    }

    /** The group's load was withdrawn. */
    public void forget(UsageKey group) {
        Load removed = loads.remove(group);
        if (removed != null) {
            budget.releaseShared(bytes(group, removed));
        }
    }

    /** Returns the number of calls of {@link #accept}. */
    public long accepted() {
        return accepted.sum();
    }

    /** How often the load of a group was left out because the budget was used up. */
    public long leftOut() {
        return leftOut.sum();
    }

    /** The newest load of a group, or {@code null}. */
    public @Nullable Load load(UsageKey group) {
        return loads.get(group);
    }

    /** Passes each group with its newest load; those that come or go meanwhile may be left out. */
    void forEach(BiConsumer<UsageKey, Load> to) {
        loads.forEach(to);
    }

    /**
     * From now on notes which loads change, until it is closed. Those that are known count as changed.
     *
     * @param groups the groups whose changes are noted
     */
    public Changes changes(Predicate<UsageKey> groups) {
        Changes reader = new Changes(groups);
        readers.add(reader);
        // added first: one that comes meanwhile is noted twice, not missed
        loads.keySet().stream().filter(groups).forEach(reader.changed::add);
        return reader;
    }

    /** Changes since a reader's last call. */
    public final class Changes implements AutoCloseable {
        private final Set<UsageKey> changed = ConcurrentHashMap.newKeySet();

        private final Predicate<UsageKey> groups;

        private Changes(Predicate<UsageKey> groups) {
            this.groups = groups;
        }

        /** Hands over each changed load once, in its newest form. */
        public void drain(BiConsumer<UsageKey, Load> to) {
            for (UsageKey group : List.copyOf(changed)) {
                // removed first: a change that comes meanwhile is passed on the next time
                changed.remove(group);
                Load load = loads.get(group);
                if (load != null) {
                    to.accept(group, load);
                }
            }
        }

        @Override
        public void close() {
            readers.remove(this);
        }
    }
}
