package io.sluice.agent.internal.gate;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/**
 * Counts of rejections and of records that could not be followed, since the start. Each count only grows, also when it is read while
 * requests are checked. Thread-safe.
 */
public final class DecisionCounts {
    final LongAdder fenced = new LongAdder();
    final LongAdder unknownModes = new LongAdder();
    private final LockRegistry book;

    DecisionCounts(LockRegistry book) {
        this.book = book;
    }

    /** Records of a previous epoch of an analyzer task. */
    public long fenced() {
        return fenced.sum();
    }

    /** Locks of a mode that this version does not know. */
    public long unknownModes() {
        return unknownModes.sum();
    }

    /** How often a lock was not obeyed since its policy counts by other attributes than when it was decided. */
    public long misfits() {
        return book.misfits();
    }

    /** Rejections by gate locks, by policy; policies that were removed keep their counts. */
    public Map<String, Long> locked() {
        return byPolicy(counts -> counts.locked.sum());
    }

    /** Rejections by local limits, by policy; policies that were removed keep their counts. */
    public Map<String, Long> limited() {
        return byPolicy(counts -> counts.limited.sum());
    }

    /** All rejections, or with {@code shadow} those that shadow policies and shadow locks would have made, by policy. */
    public Map<String, Long> rejections(boolean shadow) {
        return byPolicy(counts -> shadow ? counts.wouldReject.sum() : counts.locked.sum() + counts.limited.sum());
    }

    private Map<String, Long> byPolicy(ToLongFunction<GatePolicy.Counts> count) {
        Map<String, Long> byPolicy = new TreeMap<>();
        book.counts().forEach((policy, counts) -> byPolicy.put(policy, count.applyAsLong(counts)));
        return byPolicy;
    }
}
