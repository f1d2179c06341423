package io.sluice.analyzer.window;

import io.sluice.contract.usage.UsageKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What was touched lately, bounded by two generations: what is touched is young; when that is half of what may be held, the
 * old ones leave, and the young become old. What is found among the old becomes young again. It costs one pass over what
 * leaves and no bookkeeping a touch, unlike a list in order of use. One thread.
 */
final class Hot<V> {
    private final int half;
    private final Consumer<V> leaving;
    private Map<HotKey, V> young = new HashMap<>();
    private Map<HotKey, V> old = new HashMap<>();

    /**
     * @param most how many may be held, at least 2
     * @param leaving is told what is let go of, so that it can be written
     */
    Hot(int most, Consumer<V> leaving) {
        this.half = Math.max(1, most / 2);
        this.leaving = leaving;
    }

    V find(UsageKey key, Function<UsageKey, V> cold) {
        HotKey hot = new HotKey(key);
        V found = young.get(hot);
        if (found != null) {
            return found;
        }
        found = old.remove(hot);
        if (found == null) {
            found = cold.apply(key);
        }
        if (young.size() >= half) {
            old.values().forEach(leaving);
            old = young;
            young = new HashMap<>();
        }
        young.put(hot, found);
        return found;
    }

    int size() {
        return young.size() + old.size();
    }

    void clear() {
        young.clear();
        old.clear();
    }
}
