package io.sluice.agent.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/** Every algorithm with the same limit: ten at once, and about ten a second where time says when. */
@SuppressWarnings("ImmutableEnumChecker") // limits are immutable, and the makers are lambdas without state
enum Kind {
    TOKEN_BUCKET(TokenRate.of(10, Kind.SECOND, 10), since -> settled(new TokenBucket(), since)),
    SLIDING_LOG(new WindowRate(10, Kind.SECOND), SlidingLogLimiter::new),
    SLIDING_WINDOW(
            new WindowRate(10, Kind.SECOND), since -> new SlidingWindowLimiter(new WindowRate(10, Kind.SECOND), since)),
    FIXED_WINDOW(new WindowRate(10, Kind.SECOND), since -> settled(new FixedWindowLimiter(), since)),
    LEAKY_BUCKET(new Pace(Kind.SECOND / 10, Kind.SECOND * 9 / 10), since -> settled(new LeakyBucket(), since)),
    CONCURRENCY(ConcurrencyRange.fixed(10), ConcurrencyLimiter::new);

    static final long MS = 1_000_000;
    static final long SECOND = 1000 * MS;

    private final LimiterConfig terms;
    private final LongFunction<Limiter<?>> idle;

    Kind(LimiterConfig terms, LongFunction<Limiter<?>> idle) {
        this.terms = terms;
        this.idle = idle;
    }

    /** A limiter with its terms. */
    static final class Trial<T extends LimiterConfig> {
        final Limiter<T> limiter;
        final T terms;
        private final LongSupplier ticks = this::clock;
        private long clock;

        Trial(Limiter<T> limiter, T terms) {
            this.limiter = limiter;
            this.terms = terms;
        }

        private long clock() {
            return clock;
        }

        long take(long permits, long now) {
            return limiter.take(terms, permits, now);
        }

        int takeAll(long now) {
            int taken = 0;
            while (taken < 1000 && limiter.take(terms, now) >= 0) {
                taken++;
            }
            return taken;
        }

        void refund(long permits, long takenAt, long taken) {
            clock = takenAt;
            limiter.refund(terms, permits, takenAt, taken, ticks);
        }
    }

    /** A new one that was idle until then. */
    @SuppressWarnings("unchecked") // each is made for its terms
    Trial<LimiterConfig> since(long time) {
        return new Trial<>((Limiter<LimiterConfig>) idle.apply(time), terms);
    }

    /** Whether only others say when there is a permit again. */
    boolean untimed() {
        return this == CONCURRENCY;
    }

    private static Limiter<?> settled(TokenBucket bucket, long since) {
        bucket.settle(TokenRate.of(10, SECOND, 10), false, since);
        return bucket;
    }

    private static Limiter<?> settled(FixedWindowLimiter window, long since) {
        window.settle(new WindowRate(10, SECOND), false, since);
        return window;
    }

    private static Limiter<?> settled(LeakyBucket bucket, long since) {
        bucket.settle(new Pace(SECOND / 10, SECOND * 9 / 10), false, since);
        return bucket;
    }

    /** Holds the sorted times of permits against what the algorithm promises; a leaky bucket's are the times of the turns. */
    void assertBound(long[] sorted) {
        assertThat(sorted.length).as("permits taken").isGreaterThan(10);
        switch (this) {
            case TOKEN_BUCKET -> Bounds.bucket(sorted, (TokenRate) terms);
            case SLIDING_LOG, SLIDING_WINDOW -> Bounds.window(sorted, 10, SECOND);
            case FIXED_WINDOW -> Bounds.aligned(sorted, 10, SECOND);
            case LEAKY_BUCKET -> Bounds.window(sorted, 1, SECOND / 10);
            case CONCURRENCY -> throw new IllegalArgumentException("time says nothing of what is in flight");
        }
    }
}
