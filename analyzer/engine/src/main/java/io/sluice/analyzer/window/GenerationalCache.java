package io.sluice.analyzer.window;

import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.TaskBudget;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A cache of two generations. Entries that are used are young. When the young take half of the bytes, the old are evicted and the young
 * become old; an old entry that is used becomes young again. Eviction costs one pass, and a hit costs no bookkeeping, unlike in an LRU
 * list. The task's budget sets the bytes, which may change at any time. Confined to one thread.
 */
final class GenerationalCache<V extends Held> {
    private final Consumer<V> leaving;
    private final TaskBudget.Pool pool;
    private HeldTable<V> young = new HeldTable<>();
    private HeldTable<V> old = new HeldTable<>();
    private long youngBytes;
    private long oldBytes;

    /**
     * @param account pays for the entries; an entry that is larger than the whole is held all the same
     * @param leaving writes evicted entries
     */
    GenerationalCache(TaskBudget budget, Account account, Consumer<V> leaving) {
        this.leaving = leaving;
        pool = budget.pool(account, this::evict);
    }

    V find(byte[] storeKey, Function<byte[], V> cold) {
        int hash = (int) KeyHash.of(storeKey);
        V found = young.find(storeKey, hash);
        if (found != null) {
            return found;
        }
        found = old.remove(storeKey, hash);
        long bytes;
        if (found == null) {
            found = cold.apply(storeKey);
            bytes = found.bytes();
            pool.add(bytes);
        } else {
            bytes = found.bytes();
            oldBytes -= bytes;
        }
        if (youngBytes >= pool.limit() / 2) {
            evict();
        }
        pool.settle();
        young.put(found, hash);
        youngBytes += bytes;
        return found;
    }

    /** Evicts the old; the young become old. */
    private void evict() {
        old.forEach(leaving);
        pool.add(-oldBytes);
        old = young;
        oldBytes = youngBytes;
        young = new HeldTable<>();
        youngBytes = 0;
    }

    /** Adds to the size of the entry that was found last, in bytes. */
    void grew(long bytes) {
        youngBytes += bytes;
        pool.add(bytes);
    }

    int size() {
        return young.size() + old.size();
    }

    void clear() {
        young = new HeldTable<>();
        old = new HeldTable<>();
        youngBytes = 0;
        oldBytes = 0;
        pool.add(-pool.bytes());
    }
}
