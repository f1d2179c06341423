package io.sluice.agent.internal.limit;

import java.util.function.LongSupplier;

/**
 * The state of a local limit for one subject. Exact, thread-safe and lock-free. Taking and refunding allocate nothing, except where a class
 * documents it.
 *
 * <p>Time is nanoseconds since any fixed moment, from 0 to {@link #LATEST}. Threads may pass times slightly out of order. The configuration is
 * passed with each call, because a limiter outlives changes of its limit: a changed configuration applies at once, and used permits stay
 * used.
 *
 * @param <T> the configuration
 */
public interface Limiter<T extends LimiterConfig> {
    /** The limiter was removed: look for its successor. */
    long REMOVED = Long.MIN_VALUE;

    /** The limiter has not been initialized. */
    long UNSETTLED = Long.MIN_VALUE + 1;

    /** So many permits are never available. */
    long NEVER = Long.MIN_VALUE + 2;

    /** The latest time, 73 years: sums of three do not overflow. */
    long LATEST = Long.MAX_VALUE / 4;

    /**
     * Returns the nanoseconds in which a rate brings so many permits, rounded up, from 1 to {@link #LATEST}.
     *
     * @param permits permits per {@code perNanos}, more than 0
     */
    static long window(double permits, long perNanos, long many) {
        // a double is precise to a part in 2^53: what is whole stays so
        double nanos = (double) many * perNanos / permits;
        return (long) Math.min(Math.max(1, Math.ceil(nanos - nanos * 0x1p-52)), (double) LATEST);
    }

    /**
     * Takes all the permits or none.
     *
     * @param permits at least 1
     * @return 0 or more: taken, with so many permits left (for a {@link LeakyBucket}: so many nanoseconds until the slot); negative: not taken,
     *     retry after so many nanoseconds; or {@link #REMOVED}, {@link #UNSETTLED}, {@link #NEVER}
     */
    long take(T terms, long permits, long now);

    /** Takes one permit. */
    default long take(T terms, long now) {
        return take(terms, 1, now);
    }

    /**
     * Returns the nanoseconds until a permit can be taken, 0 for at once, and where that is not known at this moment. Changes nothing.
     *
     * @param terms the configuration of the last take
     */
    long nextPermit(T terms, long now);

    /**
     * Returns unused permits, once, as far as that cannot exceed the limit; see the classes.
     *
     * @param takenAt the time with which they were taken
     * @param taken the result of taking them
     * @param clock the clock of {@code takenAt}
     */
    void refund(T terms, long permits, long takenAt, long taken, LongSupplier clock);

    /**
     * Charges permits that have been used already, also beyond the limit: later takes wait until they have returned. At most a day's wait is added
     * to an exhausted bucket. Windows remember at least N permits of the last window, which is all that a decision needs.
     *
     * @param terms the configuration, if the limiter has not been used yet; otherwise the one in force counts
     * @param permits at least 1
     * @return false if the limiter was removed or not initialized, and nothing was charged
     */
    boolean charge(T terms, long permits, long now);

    /**
     * Removes the limiter if it equals a new one. Later calls of {@link #take} return {@link #REMOVED}.
     *
     * @return whether this call removed it
     */
    boolean removeIfIdle(long now);

    /** Returns whether the limiter equals a new one: no permit taken earlier counts any more. */
    boolean isIdle(long now);

    /** Returns the earliest time at which {@link #isIdle} holds if no more is taken; meaningless after removal. */
    long idleFrom();

    /** Returns whether the limiter was removed. */
    boolean removed();
}
