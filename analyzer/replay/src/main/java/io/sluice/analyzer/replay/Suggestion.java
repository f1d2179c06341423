package io.sluice.analyzer.replay;

import java.util.List;

/**
 * Limits that hardly any caller would have noticed. The busiest 1 % of the callers are set aside, and at least one: they
 * are the target of limits. What the others reach at their busiest, doubled and rounded up, is the limit.
 *
 * @param perMinute requests of one caller in a minute
 * @param perSecond requests of one caller at once
 * @param over callers that were over {@code perMinute} at some time, busiest first
 */
record Suggestion(long perMinute, long perSecond, List<Callers.Caller> over) {
    private static final long LEAST_PER_MINUTE = 10;
    private static final long LEAST_PER_SECOND = 5;

    static Suggestion of(Callers callers) {
        long perMinute = Math.max(LEAST_PER_MINUTE, round(2 * ordinary(callers.minutePeaks())));
        long perSecond = Math.max(LEAST_PER_SECOND, round(2 * ordinary(callers.secondPeaks())));
        return new Suggestion(perMinute, perSecond, callers.over(perMinute));
    }

    /** The peak of the busiest caller that is not set aside. */
    private static long ordinary(long[] sortedPeaks) {
        int aside = Math.max(1, sortedPeaks.length / 100);
        return sortedPeaks[Math.max(0, sortedPeaks.length - 1 - aside)];
    }

    /** Up to two digits that count: 10, 11, 99, 100, 110, 1200. */
    private static long round(long value) {
        long unit = 1;
        while (value / unit >= 100) {
            unit *= 10;
        }
        return (value + unit - 1) / unit * unit;
    }

    /** A policy set that only reports. */
    String policies() {
        return """
                version: 1
                policies:
                  - name: busy-caller
                    per: [caller]
                    window: 1m
                    lock:
                      when: [{ above: %d }]
                      mode: block
                      shadow: true      # only reports; take it away when the locks are the ones you want
                    limit:
                      rate: %d/m
                      burst: %d
                      shadow: true
                """.formatted(perMinute, perMinute, perSecond);
    }
}
