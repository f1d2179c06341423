package io.sluice.agent.internal.limit;

import org.jspecify.annotations.Nullable;

/**
 * How fast a token bucket fills, and how much it holds. Immutable; one serves all buckets of a limit.
 *
 * <p>A permit's interval is rounded up to whole nanoseconds, so a bucket is never faster than asked, and at a million
 * permits a second at most a tenth of a percent slower.
 */
public final class TokenRate implements LimiterConfig {
    // far enough from overflow for any sum of two, and still over 70 years
    private static final long LONGEST = Limiter.LATEST;

    private final long interval;
    private final long tolerance;
    private final long burst;
    private final long most;
    private final long window;

    private TokenRate(long interval, long burst, long window) {
        this.interval = interval;
        this.burst = burst;
        this.window = window;
        this.tolerance = burst > LONGEST / interval ? LONGEST : burst * interval;
        this.most = Math.min(burst, tolerance / interval);
    }

    /**
     * @param permits how many permits {@code perNanos} allow; 0 allows nothing at all
     * @param burst most permits at once, at least 1
     */
    public static TokenRate of(double permits, long perNanos, long burst) {
        if (!(permits >= 0) || perNanos < 1 || burst < 1) {
            throw new IllegalArgumentException(
                    "a rate needs permits of 0 or more, a duration and a burst of 1 or more, not " + permits + "/"
                            + perNanos + " ns, " + burst);
        }
        double interval = Math.ceil(perNanos / permits);
        return permits == 0
                ? new TokenRate(1, 0, 1)
                : new TokenRate(
                        (long) Math.min(Math.max(interval, 1), (double) LONGEST),
                        burst,
                        Limiter.window(permits, perNanos, burst));
    }

    /** A rate with one second's permits as its burst, at least 1. */
    public static TokenRate perSecond(double permits) {
        return of(permits, 1_000_000_000L, Math.max(1, (long) Math.min(permits, (double) LONGEST)));
    }

    /** Nanoseconds a permit takes to come back. */
    public long interval() {
        return interval;
    }

    /** Nanoseconds an empty bucket takes to be full. */
    public long tolerance() {
        return tolerance;
    }

    /** Nanoseconds in which the rate as it was asked for brings the burst: less than the tolerance by what intervals are rounded up. */
    public long window() {
        return window;
    }

    /** Most permits at once. */
    public long burst() {
        return burst;
    }

    @Override
    public long maxPermits() {
        return most;
    }

    /** Converts a time at another rate to its cost at this one, rounded up: the permits that it stands for are the same. */
    long costOf(long nanos, TokenRate from) {
        if (interval == from.interval) {
            return nanos;
        }
        long whole = nanos / from.interval;
        long rest = nanos % from.interval;
        if (whole > LONGEST / interval - 1) {
            return LONGEST;
        }
        // less than one interval: a double is precise to a part in 2^53, and is nudged up by more than that
        double part = (double) rest * interval / from.interval;
        long rounded = rest == 0 ? 0 : Math.min(interval, (long) Math.ceil(part * (1 + 0x1p-50)));
        return whole * interval + rounded;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TokenRate rate && interval == rate.interval && burst == rate.burst;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(interval) * 31 + Long.hashCode(burst);
    }
}
