package io.sluice.agent.internal.limit;

/**
 * The configuration of a leaky bucket.
 *
 * @param interval nanoseconds between slots, 1 to {@link Limiter#LATEST}
 * @param maxWait nanoseconds, 0 to {@link Limiter#LATEST}; so at most {@code maxWait / interval + 1} requests wait at once
 */
public record Pace(long interval, long maxWait) implements LimiterConfig {
    public Pace {
        if (interval < 1 || interval > Limiter.LATEST || maxWait < 0 || maxWait > Limiter.LATEST) {
            throw new IllegalArgumentException(
                    "a pace needs an interval of 1 ns to 73 years and a wait of 0 to 73 years," + " not " + interval
                            + " ns, " + maxWait + " ns");
        }
    }

    /** Returns a pace of so many permits per time, rounded down. */
    public static Pace of(double permits, long perNanos, long maxWait) {
        double interval = Math.max(1, Math.ceil(perNanos / permits));
        return new Pace((long) Math.min(interval, (double) Limiter.LATEST), maxWait);
    }

    @Override
    public long maxPermits() {
        return maxWait / interval + 1;
    }
}
