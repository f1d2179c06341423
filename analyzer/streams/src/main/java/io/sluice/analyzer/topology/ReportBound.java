package io.sluice.analyzer.topology;

/**
 * Bounds the requests that a partition of a source may report in a second, those that passed and those that were rejected each on their own. Seconds are
 * those of the append time. One thread.
 */
final class ReportBound {
    private static final long SECOND = 1_000;
    private static final long WARN_MILLIS = 60_000;

    private final long most;
    private long second = Long.MIN_VALUE;
    private long passed;
    private long rejected;
    private long warned = Long.MIN_VALUE;

    /** @param most requests in a second; {@link Long#MAX_VALUE} for any number */
    ReportBound(long most) {
        this.most = most;
    }

    /**
     * Returns how many of the requests of an event are within the bound, and counts them.
     *
     * @param append the time of its record, epoch milliseconds; an earlier one than before counts in the newest second
     */
    long within(boolean areRejected, long count, long append) {
        if (most == Long.MAX_VALUE) {
            return count;
        }
        long now = Math.floorDiv(append, SECOND);
        if (now > second) {
            second = now;
            passed = 0;
            rejected = 0;
        }
        long within = Math.min(count, most - (areRejected ? rejected : passed));
        if (areRejected) {
            rejected += within;
        } else {
            passed += within;
        }
        return within;
    }

    /** Returns whether a warning is due: once a minute. */
    boolean warns(long append) {
        if (warned != Long.MIN_VALUE && append - warned < WARN_MILLIS) {
            return false;
        }
        warned = append;
        return true;
    }
}
