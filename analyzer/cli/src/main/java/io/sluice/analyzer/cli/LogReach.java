package io.sluice.analyzer.cli;

/**
 * Whether the partitions of a log still reach back to a moment. Where the oldest record there is was not the first there ever
 * was, an older one that mattered may be gone.
 */
final class LogReach {
    private final long needed;
    private boolean gap;
    private long oldest = Long.MIN_VALUE;

    /** @param needed append time to which the log should reach back, epoch milliseconds */
    LogReach(long needed) {
        this.needed = needed;
    }

    /** A partition of which nothing appended since the moment needed is there, with the offsets of its first record and its end. */
    void quiet(long begin, long end) {
        gap |= begin > 0 && begin == end;
    }

    /**
     * A partition with records appended since the moment needed.
     *
     * @param begin the offset of the first record there is
     * @param first the offset of the first record appended since the moment needed
     * @param append that record's append time, epoch milliseconds
     */
    void found(long begin, long first, long append) {
        if (begin > 0 && first == begin && append > needed) {
            gap = true;
            oldest = Math.max(oldest, append);
        }
    }

    /** Returns a warning for a log that may not reach back far enough; empty when it does. */
    String gap() {
        if (!gap) {
            return "";
        }
        return oldest == Long.MIN_VALUE
                ? "nothing is left of the request log: can't be recounted"
                : "the request log reaches back to " + Spans.time(oldest) + " only, it would have to reach back to "
                        + Spans.time(needed) + ": can't be recounted";
    }
}
