package io.sluice.agent.internal.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A limiter whose state is one long, which means something only together with the terms it was written under. When the
 * terms change, the long is frozen and goes on, converted, in another object: whoever finds it frozen finishes the change,
 * so nobody waits. Only a change allocates.
 *
 * <p>The long is never negative, so that negative values are left for {@link #UNSETTLED}, {@link #FORGOTTEN} and frozen
 * ones (the complement of what they were).
 */
public abstract class OneWord<T extends Terms> implements Limiter<T> {
    /** The long is frozen: ask what came later. */
    static final long FROZEN = Long.MIN_VALUE + 3;

    private static final VarHandle WORD;
    private static final VarHandle TERMS;
    private static final VarHandle LATER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(OneWord.class, "word", long.class);
            TERMS = lookup.findVarHandle(OneWord.class, "terms", Terms.class);
            LATER = lookup.findVarHandle(OneWord.class, "later", OneWord.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile long word;
    // of the word; not known before the first use
    private volatile @Nullable Terms terms;
    // where the word is since the terms changed; it has none itself
    private volatile @Nullable OneWord<T> later;

    OneWord(long word) {
        this.word = word;
    }

    /** One try to take permits under these terms, the ones of the word. */
    abstract long takeHere(T terms, long permits, long now);

    /** What a word becomes when the terms change; {@code from} and {@code to} may be equal. */
    abstract long converted(T from, long word, T to, long now);

    /** From when on the word can't be told from a new one. */
    abstract long idleFrom(T terms, long word);

    /** The word of a limiter that was idle at {@code since}. */
    abstract long idle(T terms, long since);

    /** The word of a limiter that just gave all it had. */
    abstract long spent(T terms, long now);

    abstract OneWord<T> successor(long word);

    @Override
    public final long take(T asked, long permits, long now) {
        if (permits > asked.most()) {
            return NEVER;
        }
        OneWord<T> at = current();
        if (!at.isUnder(asked)) {
            at = changed(asked, now);
        }
        long result = at.takeHere(asked, permits, now);
        while (result == FROZEN) {
            result = changed(asked, now).takeHere(asked, permits, now);
        }
        return result;
    }

    /**
     * Says how an unsettled limiter starts: as if idle since then, or as if it had just given all it had. Who comes first
     * decides. Terms that give nothing decide nothing.
     */
    public final void settle(T asked, boolean spent, long since) {
        if (asked.most() == 0) {
            return;
        }
        T own = adopted(asked);
        long start = spent ? spent(asked, since) : idle(asked, since);
        replace(UNSETTLED, own.equals(asked) ? start : converted(asked, start, own, since));
    }

    /** Makes it, if it is settled, as if it had been in use until then. */
    public final void idleNotBefore(T asked, long earliest, long now) {
        if (asked.most() == 0) {
            return;
        }
        long least = idle(asked, earliest);
        while (true) {
            OneWord<T> at = changed(asked, now);
            long seen = at.word;
            if (seen == UNSETTLED || seen == FORGOTTEN || seen >= least || (seen >= 0 && at.replace(seen, least))) {
                return;
            }
        }
    }

    @Override
    public final boolean forgetIfIdle(long now) {
        OneWord<T> at = current();
        long seen = at.word;
        if (seen < 0) {
            return seen == UNSETTLED && at.replace(seen, FORGOTTEN);
        }
        T own = at.termsOrNull();
        return (own == null ? seen : idleFrom(own, seen)) <= now && at.replace(seen, FORGOTTEN);
    }

    @Override
    public final boolean isIdle(long now) {
        return idleFrom() <= now;
    }

    @Override
    public final boolean forgotten() {
        return word() == FORGOTTEN;
    }

    /** Whether it waits to be told how it starts. */
    public final boolean unsettled() {
        return word() == UNSETTLED;
    }

    /** {@inheritDoc} Negative where it is {@link #UNSETTLED} or {@link #FORGOTTEN}. */
    @Override
    public final long idleFrom() {
        OneWord<T> at = current();
        long seen = at.word;
        T own = at.termsOrNull();
        if (seen == UNSETTLED || seen == FORGOTTEN) {
            return seen;
        }
        long thawed = seen < 0 ? ~seen : seen;
        return own == null ? thawed : idleFrom(own, thawed);
    }

    /** The word here, wherever it is. */
    final long word() {
        return current().word;
    }

    final long here() {
        return word;
    }

    /** What a word says that is not a state to work on. */
    static long said(long negative) {
        return negative == UNSETTLED || negative == FORGOTTEN ? negative : FROZEN;
    }

    final boolean replace(long seen, long next) {
        return WORD.compareAndSet(this, seen, next);
    }

    final OneWord<T> current() {
        OneWord<T> last = later;
        return last == null ? this : last;
    }

    final boolean isUnder(T asked) {
        Terms own = terms;
        return own == asked || asked.equals(own);
    }

    @SuppressWarnings("unchecked") // only written as T
    private @Nullable T termsOrNull() {
        return (T) terms;
    }

    private T adopted(T asked) {
        TERMS.compareAndSet(this, null, asked);
        T own = termsOrNull();
        return own == null ? asked : own;
    }

    /** Where the word is under these terms, after taking it there. */
    private OneWord<T> changed(T asked, long now) {
        while (true) {
            OneWord<T> last = later;
            OneWord<T> at = last == null ? this : last;
            T own = at.adopted(asked);
            long seen = at.word;
            if (seen == FORGOTTEN || seen == UNSETTLED || (seen >= 0 && own.equals(asked))) {
                return at;
            }
            if (seen < 0 || at.replace(seen, ~seen)) {
                OneWord<T> next = successor(converted(own, seen < 0 ? ~seen : seen, asked, now));
                next.adopted(asked);
                LATER.compareAndSet(this, last, next);
            }
        }
    }
}
