package io.sluice.agent.internal.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A limiter whose state is one long that is updated by compare-and-set, and whose meaning depends on the configuration it was written under. When
 * the configuration changes, the long is frozen and continues, converted, in another object. Any thread that finds it frozen completes the
 * change, so no thread waits. Only a change allocates.
 *
 * <p>The state is never negative: negative values are {@link #UNSETTLED}, {@link #REMOVED} and frozen states (their complement).
 */
public abstract class CasLimiter<T extends LimiterConfig> implements Limiter<T> {
    /** The state is frozen: continue with the successor. */
    static final long FROZEN = Long.MIN_VALUE + 3;

    // an absurd charge must not lock its caller out for good
    static final long LONGEST_DEBT = 86_400_000_000_000L;

    private static final VarHandle WORD;
    private static final VarHandle TERMS;
    private static final VarHandle LATER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(CasLimiter.class, "word", long.class);
            TERMS = lookup.findVarHandle(CasLimiter.class, "terms", LimiterConfig.class);
            LATER = lookup.findVarHandle(CasLimiter.class, "later", CasLimiter.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile long word;
    // the configuration of the state; unknown before the first use
    private volatile @Nullable LimiterConfig terms;
    // has the state since the configuration changed; has no successor itself
    private volatile @Nullable CasLimiter<T> later;

    CasLimiter(long word) {
        this.word = word;
    }

    /** Tries once to take permits under this configuration, which must be that of the state. */
    abstract long takeFromState(T terms, long permits, long now);

    /** Returns the state after permits were used, whatever the limit. */
    abstract long charged(T terms, long word, long permits, long now);

    /** Converts a state to another configuration; {@code from} and {@code to} may be equal. */
    abstract long converted(T from, long word, T to, long now);

    /** Returns the time from which a state equals a new one. */
    abstract long idleFrom(T terms, long word);

    /** Returns the state of a limiter that was idle at {@code since}. */
    abstract long idle(T terms, long since);

    /** Returns the state of a limiter that has just been exhausted. */
    abstract long spent(T terms, long now);

    abstract CasLimiter<T> successor(long word);

    @Override
    public final long take(T asked, long permits, long now) {
        if (permits > asked.maxPermits()) {
            return NEVER;
        }
        CasLimiter<T> at = current();
        if (!at.isUnder(asked)) {
            at = changed(asked, now);
        }
        long result = at.takeFromState(asked, permits, now);
        while (result == FROZEN) {
            result = changed(asked, now).takeFromState(asked, permits, now);
        }
        return result;
    }

    @Override
    public final long nextPermit(T asked, long now) {
        CasLimiter<T> at = current();
        long seen = at.word;
        return seen < 0 || !at.isUnder(asked) ? 0 : Math.max(0, nextPermit(asked, seen, now));
    }

    /** Returns the nanoseconds until a permit can be taken in a state, 0 or less for at once. */
    abstract long nextPermit(T terms, long word, long now);

    @Override
    public final boolean charge(T asked, long permits, long now) {
        while (true) {
            CasLimiter<T> at = current();
            long seen = at.word;
            if (seen == REMOVED || seen == UNSETTLED) {
                return false;
            }
            if (seen < 0) {
                // completes a change of the configuration that another thread began
                changed(asked, now);
            } else if (at.replace(seen, at.charged(at.adopted(asked), seen, permits, now))) {
                return true;
            }
        }
    }

    /**
     * Returns the time that permits take, at most a day beyond what a whole limit allows.
     *
     * @param whole the time that all permits of an idle limit take
     */
    static long debt(long permits, long interval, long whole) {
        long most = LONGEST_DEBT + whole;
        return permits > most / interval ? most : permits * interval;
    }

    /**
     * Initializes an unsettled limiter: as if idle since then, or as if just exhausted. The first caller decides. A configuration without permits
     * decides nothing.
     */
    public final void settle(T asked, boolean spent, long since) {
        if (asked.maxPermits() == 0) {
            return;
        }
        T own = adopted(asked);
        long start = spent ? spent(asked, since) : idle(asked, since);
        replace(UNSETTLED, own.equals(asked) ? start : converted(asked, start, own, since));
    }

    /** Advances an initialized limiter as if it had been in use until then. */
    public final void idleNotBefore(T asked, long earliest, long now) {
        if (asked.maxPermits() == 0) {
            return;
        }
        long least = idle(asked, earliest);
        while (true) {
            CasLimiter<T> at = changed(asked, now);
            long seen = at.word;
            if (seen == UNSETTLED || seen == REMOVED || seen >= least || (seen >= 0 && at.replace(seen, least))) {
                return;
            }
        }
    }

    @Override
    public final boolean removeIfIdle(long now) {
        CasLimiter<T> at = current();
        long seen = at.word;
        if (seen < 0) {
            return seen == UNSETTLED && at.replace(seen, REMOVED);
        }
        T own = at.termsOrNull();
        return (own == null ? seen : idleFrom(own, seen)) <= now && at.replace(seen, REMOVED);
    }

    @Override
    public final boolean isIdle(long now) {
        return idleFrom() <= now;
    }

    @Override
    public final boolean removed() {
        return word() == REMOVED;
    }

    /** Returns whether the limiter has yet to be initialized. */
    public final boolean unsettled() {
        return word() == UNSETTLED;
    }

    /** {@inheritDoc} Negative where it is {@link #UNSETTLED} or {@link #REMOVED}. */
    @Override
    public final long idleFrom() {
        CasLimiter<T> at = current();
        long seen = at.word;
        T own = at.termsOrNull();
        if (seen == UNSETTLED || seen == REMOVED) {
            return seen;
        }
        long thawed = seen < 0 ? ~seen : seen;
        return own == null ? thawed : idleFrom(own, thawed);
    }

    /** Returns the current state, in whichever object it is. */
    final long word() {
        return current().word;
    }

    final long state() {
        return word;
    }

    /** Maps a negative state to the result of a take. */
    static long stateOf(long negative) {
        return negative == UNSETTLED || negative == REMOVED ? negative : FROZEN;
    }

    final boolean replace(long seen, long next) {
        return WORD.compareAndSet(this, seen, next);
    }

    final CasLimiter<T> current() {
        CasLimiter<T> last = later;
        return last == null ? this : last;
    }

    final boolean isUnder(T asked) {
        LimiterConfig own = terms;
        return own == asked || asked.equals(own);
    }

    @SuppressWarnings("unchecked") // only T is written
    private @Nullable T termsOrNull() {
        return (T) terms;
    }

    private T adopted(T asked) {
        TERMS.compareAndSet(this, null, asked);
        return termsOr(asked);
    }

    /** Returns the configuration of the state; the given one before its first use. */
    final T termsOr(T asked) {
        T own = termsOrNull();
        return own == null ? asked : own;
    }

    /** Returns the object that has the state under this configuration, after converting it if needed. */
    final CasLimiter<T> changed(T asked, long now) {
        while (true) {
            CasLimiter<T> last = later;
            CasLimiter<T> at = last == null ? this : last;
            T own = at.adopted(asked);
            long seen = at.word;
            if (seen == REMOVED || seen == UNSETTLED || (seen >= 0 && own.equals(asked))) {
                return at;
            }
            if (seen < 0 || at.replace(seen, ~seen)) {
                CasLimiter<T> next = successor(converted(own, seen < 0 ? ~seen : seen, asked, now));
                next.adopted(asked);
                LATER.compareAndSet(this, last, next);
            }
        }
    }
}
