package io.sluice.agent.internal.limit;

/**
 * The configuration of a {@link WarmUpLimiter}.
 *
 * @param interval nanoseconds from one permit to the next once warm, 1 to {@link Limiter#LATEST}
 * @param warmUp nanoseconds in which a cold limiter under load grows from a third of the rate to the whole, 1 to {@link Limiter#LATEST}
 * @param burst the most permits at once, at least 1
 */
public record WarmUpRate(long interval, long warmUp, long burst) implements LimiterConfig {
    /** A cold permit takes so many times the interval of a warm one. */
    private static final double COLD = 3;

    public WarmUpRate {
        if (interval < 1 || interval > Limiter.LATEST || warmUp < 1 || warmUp > Limiter.LATEST || burst < 1) {
            throw new IllegalArgumentException(
                    "a warm-up needs an interval and a time of 1 ns to 73 years and a burst of 1 or more, not "
                            + interval + " ns, " + warmUp + " ns, " + burst);
        }
    }

    /** Returns the configuration for so many permits per time, rounded down. */
    public static WarmUpRate of(double permits, long perNanos, long warmUp, long burst) {
        double interval = Math.max(1, Math.ceil(perNanos / permits));
        return new WarmUpRate((long) Math.min(interval, (double) Limiter.LATEST), warmUp, burst);
    }

    /** {@inheritDoc} The burst, as far as it refills in {@link Limiter#LATEST}. */
    @Override
    public long maxPermits() {
        return Math.min(burst, Limiter.LATEST / interval);
    }

    /** Returns the nanoseconds that permits take once warm, at most {@link Limiter#LATEST}. */
    long warmCost(long permits) {
        return permits > Limiter.LATEST / interval ? Limiter.LATEST : permits * interval;
    }

    /** Returns the stored permits of a cold limiter: one for each interval of the warm-up. */
    double coldStore() {
        return (double) warmUp / interval;
    }

    /** Returns nanoseconds by which permits may be ahead of the rate. */
    long tolerance() {
        return (maxPermits() - 1) * interval;
    }

    /** Returns nanoseconds until an empty limiter gives its whole burst. */
    public long window() {
        return Math.min(Limiter.LATEST, tolerance() + interval);
    }

    /**
     * Returns the nanoseconds that permits take from a store, rounded up: the area under the interval, which falls from three times the warm one
     * to the warm one while the upper half of the store is used.
     *
     * @param stored from 0 to {@link #coldStore()}
     */
    long cost(double stored, long permits) {
        double threshold = coldStore() / 2;
        double above = Math.max(0, stored - threshold);
        double slow = Math.min(above, (double) permits);
        double middle = above - slow / 2;
        double extra = (COLD - 1) * interval * (middle / threshold) * slow;
        double cost = Math.ceil((double) interval * permits + extra);
        return (long) Math.min(cost, (double) Limiter.LATEST);
    }
}
