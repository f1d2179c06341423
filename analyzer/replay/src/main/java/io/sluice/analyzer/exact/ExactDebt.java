package io.sluice.analyzer.exact;

import io.sluice.analyzer.exact.ExactOracle.Reading;

/** A leaky bucket of requests that were admitted: it drains by the threshold in a window's time, and is over above it. */
final class ExactDebt implements ExactDetector {
    private final double threshold;
    private final double drainPerMilli;
    private double level;
    private long asOf;

    ExactDebt(double threshold, long windowMillis) {
        this.threshold = threshold;
        drainPerMilli = threshold / windowMillis;
    }

    @Override
    public void add(Counted event) {
        level = level(event.time()) + event.amount();
        asOf = event.time();
    }

    private double level(long time) {
        return Math.max(0, level - (time - asOf) * drainPerMilli);
    }

    @Override
    public Reading ask(SlidingLog own, long time) {
        double now = level(time);
        return new Reading("debt", now, threshold, own.amount(), 0, now > threshold);
    }
}
