package io.sluice.analyzer.window;

import io.sluice.analyzer.budget.Account;
import io.sluice.analyzer.budget.TaskBudget;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What was touched lately, bounded by two generations: what is touched is young; when that takes half of the bytes that may be
 * held, the old ones leave, and the young become old. What is found among the old becomes young again. It costs one pass over what
 * leaves and no bookkeeping a touch, unlike a list in order of use. How many bytes may be held is up to the task's budget, and may change at any
 * time. One thread.
 */
final class GenerationalCache<V extends Held> {
    private final Consumer<V> leaving;
    private final TaskBudget.Pool pool;
    private HeldTable<V> young = new HeldTable<>();
    private HeldTable<V> old = new HeldTable<>();
    private long youngBytes;
    private long oldBytes;

    /**
     * @param account what their bytes are counted as; one that takes more than there is, is held all the same
     * @param leaving is told what is let go of, so that it can be written
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

    /** The old leave, and the young become old. */
    private void evict() {
        old.forEach(leaving);
        pool.add(-oldBytes);
        old = young;
        oldBytes = youngBytes;
        young = new HeldTable<>();
        youngBytes = 0;
    }

    /** What was found last takes so many bytes more now. */
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
