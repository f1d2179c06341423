package io.sluice.demo.traffic;

/**
 * Turns a rate into single requests. What could not be sent in time is not made up for beyond a tenth of a second:
 * a machine that stood still must not make a burst of its own. Not thread-safe.
 */
final class Pacer {
    private static final double CATCH_UP_SECONDS = 0.1;
    private static final double NANOS = 1e9;

    private double credit;
    private long last;

    /**
     * @param credit the part of a request that is already due, 0 to 1: callers that start together should not step together
     * @param now monotonic nanoseconds
     */
    Pacer(double credit, long now) {
        this.credit = credit;
        this.last = now;
    }

    /** How many requests are due since the last time it was asked. */
    int due(double perSecond, long now) {
        credit = Math.min(credit + perSecond * (now - last) / NANOS, 1 + perSecond * CATCH_UP_SECONDS);
        last = now;
        int due = (int) credit;
        credit -= due;
        return due;
    }
}
