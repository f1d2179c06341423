package io.sluice.agent.internal.limit;

/**
 * The bounds of a concurrency limit.
 *
 * @param min the lowest and initial limit, at least 1
 * @param max the highest limit, at most 1,000,000; equal to {@code min} for a fixed limit
 * @param slow nanoseconds from which a response counts as a sign of overload; {@link Limiter#LATEST} for never
 */
public record ConcurrencyRange(int min, int max, long slow) implements LimiterConfig {
    static final int MOST = 1_000_000;

    public ConcurrencyRange {
        if (min < 1 || max < min || max > MOST || slow < 1) {
            throw new IllegalArgumentException("a range needs 1 ≤ min ≤ max ≤ 1000000 and a time of 1 ns or more, not "
                    + min + ", " + max + ", " + slow + " ns");
        }
    }

    /** Returns the range of a fixed limit. */
    public static ConcurrencyRange fixed(int max) {
        return new ConcurrencyRange(max, max, Limiter.LATEST);
    }

    @Override
    public long maxPermits() {
        return max;
    }
}
