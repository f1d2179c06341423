package io.sluice.analyzer.window;

import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What was touched lately, bounded by two generations: what is touched is young; when that is half of what may be held, in
 * number or in bytes, the old ones leave, and the young become old. What is found among the old becomes young again. It costs one pass over what
 * leaves and no bookkeeping a touch, unlike a list in order of use. One thread.
 */
final class Hot<V extends Held> {
    private final int half;
    private final long halfBytes;
    private final Consumer<V> leaving;
    private HeldTable<V> young = new HeldTable<>();
    private HeldTable<V> old = new HeldTable<>();
    private long youngBytes;

    /**
     * @param most how many may be held, at least 2
     * @param mostBytes what they may take together; one that takes more is held all the same
     * @param leaving is told what is let go of, so that it can be written
     */
    Hot(int most, long mostBytes, Consumer<V> leaving) {
        this.half = Math.max(1, most / 2);
        this.halfBytes = mostBytes / 2;
        this.leaving = leaving;
    }

    V find(byte[] storeKey, Function<byte[], V> cold) {
        int hash = (int) KeyHash.of(storeKey);
        V found = young.find(storeKey, hash);
        if (found != null) {
            return found;
        }
        found = old.remove(storeKey, hash);
        if (found == null) {
            found = cold.apply(storeKey);
        }
        if (young.size() >= half || youngBytes >= halfBytes) {
            old.forEach(leaving);
            old = young;
            young = new HeldTable<>();
            youngBytes = 0;
        }
        young.put(found, hash);
        youngBytes += found.bytes();
        return found;
    }

    /** What was found last takes so many bytes more now. */
    void grew(long bytes) {
        youngBytes += bytes;
    }

    int size() {
        return young.size() + old.size();
    }

    void clear() {
        young = new HeldTable<>();
        old = new HeldTable<>();
        youngBytes = 0;
    }
}
