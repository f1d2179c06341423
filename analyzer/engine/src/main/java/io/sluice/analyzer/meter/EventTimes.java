package io.sluice.analyzer.meter;

/**
 * Which time of an event counts. A time from the future becomes the append time, one from the far past is not counted at
 * all: nothing turns the past into the present, and no foreign clock moves a window.
 *
 * @param skewMillis how far a source's clock may run ahead of the broker's
 * @param latenessMillis how late an event may be appended
 */
public record EventTimes(long skewMillis, long latenessMillis) {
    /** The answer for an event that is too old to be metered. */
    public static final long LATE = Long.MIN_VALUE;

    public EventTimes {
        if (skewMillis < 0 || latenessMillis < 0) {
            throw new IllegalArgumentException(
                    "skew of " + skewMillis + " ms, lateness of " + latenessMillis + " ms: neither may be negative");
        }
    }

    /**
     * @param eventTime the time in the event, epoch milliseconds
     * @param append when the broker appended it, epoch milliseconds
     * @return the time to count it at, or {@link #LATE}
     */
    public long of(long eventTime, long append) {
        if (eventTime < append - latenessMillis) {
            return LATE;
        }
        return eventTime > append + skewMillis ? append : eventTime;
    }
}
