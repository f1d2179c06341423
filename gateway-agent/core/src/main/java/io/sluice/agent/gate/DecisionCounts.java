package io.sluice.agent.gate;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/** How often decisions turned somebody away, or could not be followed, since the start; for people. Thread-safe. */
public final class DecisionCounts {
    final LongAdder fenced = new LongAdder();
    final LongAdder unknownModes = new LongAdder();
    private final LockBook book;

    DecisionCounts(LockBook book) {
        this.book = book;
    }

    /** Records of a life of an analyzer task that was over. */
    public long fenced() {
        return fenced.sum();
    }

    /** Locks of a mode that this version does not know. */
    public long unknownModes() {
        return unknownModes.sum();
    }

    /** How many requests were turned away since the start. */
    public long rejected() {
        return book.rejected();
    }

    /** How many of them a local limit turned away. */
    public long limitedInAll() {
        return book.limited();
    }

    /** Rejections, or with {@code shadow} what would have been rejections, by policy. */
    public Map<String, Long> rejections(boolean shadow) {
        return byPolicy(counts -> shadow ? counts.wouldReject.sum() : counts.rejected());
    }

    /** Rejections by local limits, by policy. */
    public Map<String, Long> limited() {
        return byPolicy(counts -> counts.limited.sum());
    }

    private Map<String, Long> byPolicy(ToLongFunction<GatePolicy.Counts> count) {
        Map<String, Long> byPolicy = new TreeMap<>();
        for (GatePolicy policy : book.rules().policies()) {
            byPolicy.put(policy.policy().name(), count.applyAsLong(policy.counts()));
        }
        return byPolicy;
    }
}
