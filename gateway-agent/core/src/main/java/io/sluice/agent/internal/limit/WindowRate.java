package io.sluice.agent.internal.limit;

/**
 * So many permits in a window of time.
 *
 * @param permits 0 to 2^31 − 1
 * @param nanos the window, at least 1, at most {@link Limiter#LATEST}
 */
public record WindowRate(long permits, long nanos) implements LimiterConfig {
    public WindowRate {
        if (permits < 0 || permits > Integer.MAX_VALUE || nanos < 1 || nanos > Limiter.LATEST) {
            throw new IllegalArgumentException("a window needs 0 to 2147483647 permits and 1 ns to 73 years, not "
                    + permits + "/" + nanos + " ns");
        }
    }

    @Override
    public long maxPermits() {
        return permits;
    }
}
