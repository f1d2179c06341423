package io.sluice.agent.internal.limit;

import java.util.function.LongSupplier;

/**
 * A local limit's state for one subject. Exact, thread-safe, without locks; taking and giving back allocate nothing,
 * unless a class says when.
 *
 * <p>Time is nanoseconds since any fixed moment, from 0 to {@link #LATEST}. Threads may bring times a little out of order.
 * The terms come with each call, because a limiter outlives a change of its limit: changed terms hold at once, and what
 * was used under the old ones stays used.
 *
 * @param <T> what it holds to
 */
public interface Limiter<T extends LimiterConfig> {
    /** The limiter was dropped: look for its successor. */
    long REMOVED = Long.MIN_VALUE;

    /** Nobody said yet how the limiter starts. */
    long UNSETTLED = Long.MIN_VALUE + 1;

    /** So many permits are never given, however long one waits. */
    long NEVER = Long.MIN_VALUE + 2;

    /** The latest time, 73 years: far enough from overflow for any sum of three. */
    long LATEST = Long.MAX_VALUE / 4;

    /**
     * Takes all the permits or none.
     *
     * @param permits at least 1
     * @return 0 or more: taken, and so many are left (a {@link LeakyBucket}: so many nanoseconds until their turn);
     *     negative: not taken, and worth asking again after so many nanoseconds; or {@link #REMOVED}, {@link #UNSETTLED},
     *     {@link #NEVER}
     */
    long take(T terms, long permits, long now);

    /** Takes one permit, if there is one. */
    default long take(T terms, long now) {
        return take(terms, 1, now);
    }

    /**
     * Gives back, once, what was taken and not used, as far as that can't break the bound; see the classes.
     *
     * @param takenAt the time with which it was taken
     * @param taken what taking them returned
     * @param clock the clock that {@code takenAt} was read from
     */
    void refund(T terms, long permits, long takenAt, long taken, LongSupplier clock);

    /**
     * Drops the limiter if it can't be told from a new one. Whoever asks it from then on is told {@link #REMOVED}.
     *
     * @return whether it is forgotten now, by this call
     */
    boolean removeIfIdle(long now);

    /** Whether it can't be told from a new one: nothing that was taken counts any more. */
    boolean isIdle(long now);

    /** The earliest time at which {@link #isIdle} holds, if nothing more is taken; meaningless once it was dropped. */
    long idleFrom();

    /** Whether it was dropped. */
    boolean removed();
}
