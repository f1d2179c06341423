package io.sluice.analyzer.replay;

import java.util.Arrays;

/** Use by one caller: its requests in each minute in which it made any, and its busiest minute and second. */
final class CallerUse {
    static final long WINDOW_MILLIS = 60_000;

    private final SlidingPeak minutePeak = new SlidingPeak(WINDOW_MILLIS);
    private final SlidingPeak secondPeak = new SlidingPeak(1000);
    private long[] minutes = new long[4];
    private int active;
    private long minute = Long.MIN_VALUE;
    private long requests;

    /** @param time not before the one before it */
    void add(long time, long count) {
        requests += count;
        minutePeak.add(time, count);
        secondPeak.add(time, count);
        long its = Math.floorDiv(time, WINDOW_MILLIS);
        if (its != minute) {
            minute = its;
            if (active == minutes.length) {
                minutes = Arrays.copyOf(minutes, 2 * active);
            }
            minutes[active++] = 0;
        }
        minutes[active - 1] += count;
    }

    long requests() {
        return requests;
    }

    /** Most requests in any 60 s, wherever they begin. */
    long minutePeak() {
        return minutePeak.peak();
    }

    /** Most requests in any second, wherever it begins. */
    long secondPeak() {
        return secondPeak.peak();
    }

    /** @param percent 50 for the median of the minutes in which it called */
    long percentile(int percent) {
        long[] sorted = Arrays.copyOf(minutes, active);
        Arrays.sort(sorted);
        return Percentiles.of(sorted, percent);
    }
}
