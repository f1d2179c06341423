package io.sluice.analyzer.exact;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * The mean of past windows, newer ones weighing more (EWMA). Time is cut into windows of the policy's length, aligned to the
 * epoch. At time t only those up to two before t's own count: they can't overlap the sliding window that ends at t.
 */
final class ExactBaseline {
    private static final long NEVER = Long.MIN_VALUE;
    private static final int ENOUGH = 10;

    private final long windowMillis;
    private final double alpha;
    private final long least;
    private final Supplier<ExactSum> newSum;
    private final LongPredicate frozen;
    /** Windows that are not over yet, or not for long enough. */
    private final Map<Long, ExactSum> recent = new HashMap<>();

    private final LongUnaryOperator uncountedUntil;
    private long newest = NEVER;
    /** Windows in which the subject's requests were not counted. */
    private long uncountedFrom = NEVER;

    private long uncountedTo = NEVER;

    private long next = NEVER;
    private long windows;
    private double weighted;

    /**
     * @param newSum adds up one window
     * @param frozen whether what is of this time is left out: an event, or a window that begins then
     * @param uncountedUntil the latest time up to a time until which requests may not have been counted, {@link Long#MIN_VALUE} for none: what is
     *     between the event before and that time is left out
     */
    ExactBaseline(
            long windowMillis,
            long baselineMillis,
            Supplier<ExactSum> newSum,
            LongPredicate frozen,
            LongUnaryOperator uncountedUntil) {
        this.windowMillis = windowMillis;
        this.newSum = newSum;
        this.frozen = frozen;
        this.uncountedUntil = uncountedUntil;
        alpha = 1 - Math.exp(-(double) windowMillis / baselineMillis);
        least = Math.min(ENOUGH, (baselineMillis + windowMillis - 1) / windowMillis);
    }

    void add(Counted event) {
        long window = Math.floorDiv(event.time(), windowMillis);
        long until = uncountedUntil.applyAsLong(event.time());
        if (newest != NEVER && until != NEVER && newest < Math.floorDiv(until, windowMillis)) {
            uncountedFrom = newest + 1;
            uncountedTo = Math.floorDiv(until, windowMillis);
        }
        newest = Math.max(newest, window);
        next = next == NEVER ? window : next;
        if (!frozen.test(event.time())) {
            recent.computeIfAbsent(window, any -> newSum.get()).enter(event);
        }
    }

    /** Takes in the windows that have become past at this time, which never goes back. */
    ExactBaseline at(long time) {
        long last = Math.floorDiv(time, windowMillis) - 2;
        for (; next != NEVER && next <= last; next++) {
            ExactSum sum = recent.remove(next);
            if (!frozen.test(next * windowMillis) && (next < uncountedFrom || next > uncountedTo)) {
                weighted = alpha * (sum == null ? 0 : sum.value()) + (1 - alpha) * weighted;
                windows++;
            }
        }
        return this;
    }

    /** Returns whether there were enough windows to speak of a baseline. */
    boolean known() {
        return windows >= least;
    }

    /** The mean, corrected for the windows before the first, which are none and not empty ones. */
    double mean() {
        return weighted / (1 - Math.pow(1 - alpha, (double) windows));
    }

    /** The mean as if there had been empty windows before the first. */
    double weighted() {
        return weighted;
    }
}
