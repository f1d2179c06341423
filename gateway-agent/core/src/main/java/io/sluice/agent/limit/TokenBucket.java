package io.sluice.agent.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

/**
 * A token bucket that is one long: the generic cell rate algorithm (ITU-T I.371, virtual scheduling). The long is the
 * time at which the bucket will be full again; each permit moves it one interval on, and a permit is refused when that
 * would move it further ahead of now than the burst. In any span of time it gives at most burst plus rate times span.
 * Thread-safe without a lock; allocates nothing.
 *
 * <p>Time is nanoseconds since any fixed moment, never negative, so that negative values are left for the two states of
 * a bucket's life: {@link #UNSETTLED} before its first use and {@link #FORGOTTEN} once it was dropped. The rate is given
 * with each call: a bucket outlives a change of its limit.
 */
public class TokenBucket {
    /** The bucket was dropped from its table: look for its successor. */
    public static final long FORGOTTEN = Long.MIN_VALUE;

    /** Nobody said yet how full the bucket starts: {@link #settle} it. */
    public static final long UNSETTLED = Long.MIN_VALUE + 1;

    private static final VarHandle FULL_AT;

    static {
        try {
            FULL_AT = MethodHandles.lookup().findVarHandle(TokenBucket.class, "fullAt", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // through FULL_AT
    private volatile long fullAt;

    /**
     * @param fullAt when it will be full, or {@link #UNSETTLED}
     */
    public TokenBucket(long fullAt) {
        this.fullAt = fullAt;
    }

    /**
     * Takes a permit if there is one.
     *
     * @return 0 or more: taken, and so many are left; negative: not taken, and the next one comes after so many
     *     nanoseconds, but {@link #FORGOTTEN} and {@link #UNSETTLED} for the two states
     */
    public final long take(TokenRate rate, long now) {
        while (true) {
            long current = fullAt;
            if (current < 0) {
                return current;
            }
            long next = Math.max(current, now) + rate.interval();
            long ahead = next - now;
            if (ahead > rate.tolerance()) {
                return rate.tolerance() - ahead;
            }
            if (FULL_AT.compareAndSet(this, current, next)) {
                return (rate.tolerance() - ahead) / rate.interval();
            }
        }
    }

    /**
     * Gives a permit back that was taken and not used. After a permit's interval nothing is given back: the bucket may
     * have been full meanwhile, so the permit may have come back by itself, and giving it twice would break the bound.
     *
     * @param takenAt the time with which it was taken
     * @param clock the clock that {@code takenAt} was read from
     */
    public final void giveBack(TokenRate rate, long takenAt, LongSupplier clock) {
        while (true) {
            long current = fullAt;
            // read after the bucket: a thread that is held up in between finds it changed, or full with nothing to give
            boolean late = clock.getAsLong() - takenAt >= rate.interval();
            if (late || current < 0 || FULL_AT.compareAndSet(this, current, Math.max(0, current - rate.interval()))) {
                return;
            }
        }
    }

    /** Says how full an unsettled bucket starts; whoever comes first decides. */
    public final void settle(long newFullAt) {
        FULL_AT.compareAndSet(this, UNSETTLED, newFullAt);
    }

    /** Makes it full no earlier than this. */
    public final void fullNotBefore(long earliest) {
        long current = fullAt;
        while (current >= 0 && current < earliest && !FULL_AT.compareAndSet(this, current, earliest)) {
            current = fullAt;
        }
    }

    /** When it will be full, or one of the two states. */
    public final long fullAt() {
        return fullAt;
    }

    /**
     * Drops the bucket if it is full, for then it can't be told from a new one.
     *
     * @return whether it is forgotten now, by this call
     */
    public final boolean forgetIfFull(long now) {
        long current = fullAt;
        return current <= now && current != FORGOTTEN && FULL_AT.compareAndSet(this, current, FORGOTTEN);
    }
}
