package io.sluice.agent.internal.limit;

/**
 * How many may be in flight at once.
 *
 * @param min the least that the limit may fall to, at least 1, and where it starts
 * @param max the most that it may grow to, at most 1,000,000; the same as {@code min} for a limit that is fixed
 * @param slow nanoseconds from which on an answer counts as a sign of overload; {@link Limiter#LATEST} for never
 */
public record ConcurrencyRange(int min, int max, long slow) implements LimiterConfig {
    static final int MOST = 1_000_000;

    public ConcurrencyRange {
        if (min < 1 || max < min || max > MOST || slow < 1) {
            throw new IllegalArgumentException("a range needs 1 ≤ min ≤ max ≤ 1000000 and a time of 1 ns or more, not "
                    + min + ", " + max + ", " + slow + " ns");
        }
    }

    /** A limit that never moves. */
    public static ConcurrencyRange fixed(int max) {
        return new ConcurrencyRange(max, max, Limiter.LATEST);
    }

    @Override
    public long maxPermits() {
        return max;
    }
}
