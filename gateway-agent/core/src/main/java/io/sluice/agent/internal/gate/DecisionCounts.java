package io.sluice.agent.internal.gate;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/**
 * Counts of rejections and of records that could not be applied, since the start. Counts never decrease, also when read concurrently with checks.
 * Thread-safe.
 */
public final class DecisionCounts {
    final LongAdder fenced = new LongAdder();
    final LongAdder unknownModes = new LongAdder();
    private final LockRegistry book;

    DecisionCounts(LockRegistry book) {
        this.book = book;
    }

    /** Returns the records of earlier epochs of an analyzer task. */
    public long fenced() {
        return fenced.sum();
    }

    /** Returns the locks with a mode that this version does not know. */
    public long unknownModes() {
        return unknownModes.sum();
    }

    /** Returns the locks that were not applied because their policy counts by other attributes than when they were decided. */
    public long misfits() {
        return book.misfits();
    }

    /** Returns rejections by locks, per policy; removed policies keep their counts. */
    public Map<String, Long> locked() {
        return byPolicy(counts -> counts.locked.sum());
    }

    /** Returns rejections by local limits, per policy; removed policies keep their counts. */
    public Map<String, Long> limited() {
        return byPolicy(counts -> counts.limited.sum());
    }

    /** Returns all rejections per policy, or with {@code shadow} those that shadow policies and shadow locks would have made. */
    public Map<String, Long> rejections(boolean shadow) {
        return byPolicy(counts -> shadow ? counts.wouldReject.sum() : counts.locked.sum() + counts.limited.sum());
    }

    private Map<String, Long> byPolicy(ToLongFunction<GatePolicy.Counts> count) {
        Map<String, Long> byPolicy = new TreeMap<>();
        book.counts().forEach((policy, counts) -> byPolicy.put(policy, count.applyAsLong(counts)));
        return byPolicy;
    }
}
