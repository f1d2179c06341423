package io.sluice.agent.internal.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

/**
 * A sliding window counter in slices of a tenth of the window, in little more than a hundred bytes whatever N is. The oldest slice counts until it has
 * left the window completely, so any (t − W, t] has at most N, and a permit returns at most a tenth of the window later than in a {@link
 * SlidingLogLimiter}. A time more than a slice older than the newest counts as that of the previous slice.
 *
 * <p>There is one total of all permits ever taken, and {@link SliceMarks marks} of its value when a slice was first used. Taking is one
 * compare-and-set of the total, so no count is lost: a late thread's permit counts after the mark of the newer slice.
 *
 * <p>Rates are capped at one permit per 16 ns. When the window changes, the use of the old one counts in the new one as of the change. Permits are
 * not refunded: later slices include them.
 */
public final class SlidingWindowLimiter implements Limiter<WindowRate> {
    private static final int TOTAL_BITS = 43;
    private static final long TOTAL = (1L << TOTAL_BITS) - 1;
    private static final VarHandle WORD;
    private static final VarHandle MARKS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(SlidingWindowLimiter.class, "word", long.class);
            MARKS = lookup.findVarHandle(SlidingWindowLimiter.class, "marks", SliceMarks.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long since;
    // how often the window changed, and the total, modulo their bits; or FORGOTTEN
    private volatile long word;
    private volatile SliceMarks marks;

    /** @param since admits nothing earlier */
    public SlidingWindowLimiter(WindowRate rate, long since) {
        this.since = since;
        this.marks = new SliceMarks(rate.nanos(), 0);
    }

    @Override
    public long take(WindowRate rate, long permits, long now) {
        long most = Math.min(rate.permits(), SliceMarks.most(rate.nanos()));
        if (permits > most) {
            return NEVER;
        }
        while (true) {
            long seen = word;
            if (seen == REMOVED) {
                return REMOVED;
            }
            if (now < since) {
                return now - since;
            }
            SliceMarks current = marks;
            if (current.version() != seen >>> TOTAL_BITS || !current.isOf(rate.nanos())) {
                change(current, seen, rate, now);
                continue;
            }
            long total = seen & TOTAL;
            long slice = current.slice(now);
            long from = current.firstThatFits(slice, total, most - permits);
            if (from == SliceMarks.MOVED) {
                continue;
            }
            if (from > slice - SliceMarks.SLICES) {
                return now - current.start(from + SliceMarks.SLICES);
            }
            long left = most - permits - current.used(slice, total);
            if (current.mark(slice, total) && WORD.compareAndSet(this, seen, next(seen, permits))) {
                return Math.max(0, left);
            }
        }
    }

    @Override
    public long nextPermit(WindowRate rate, long now) {
        long seen = word;
        SliceMarks current = marks;
        if (seen == REMOVED || current.version() != seen >>> TOTAL_BITS || !current.isOf(rate.nanos())) {
            return 0;
        }
        long most = Math.min(rate.permits(), SliceMarks.most(rate.nanos()));
        long slice = current.slice(now);
        long from = current.firstThatFits(slice, seen & TOTAL, most - 1);
        boolean full = from != SliceMarks.MOVED && from > slice - SliceMarks.SLICES;
        return full ? Math.max(0, current.start(from + SliceMarks.SLICES) - now) : 0;
    }

    /** {@inheritDoc} Use beyond three times N in one window is not remembered. */
    @Override
    public boolean charge(WindowRate rate, long permits, long now) {
        while (true) {
            long seen = word;
            if (seen == REMOVED) {
                return false;
            }
            SliceMarks current = marks;
            if (current.version() != seen >>> TOTAL_BITS) {
                change(current, seen, rate, now);
                continue;
            }
            long most = Math.min(Math.max(1, rate.permits()), SliceMarks.most(rate.nanos()));
            long total = seen & TOTAL;
            long slice = current.slice(Math.max(now, since));
            long room = Math.max(0, 3 * most - current.used(slice, total));
            long more = Math.min(Math.min(permits, most), room);
            if (current.mark(slice, total) && WORD.compareAndSet(this, seen, next(seen, more))) {
                return true;
            }
        }
    }

    private static long next(long seen, long permits) {
        return (seen & ~TOTAL) | ((seen + permits) & TOTAL);
    }

    /** Invalidates the old marks by a new version, then replaces them: two steps that any thread may complete. */
    private void change(SliceMarks current, long seen, WindowRate rate, long now) {
        long version = seen >>> TOTAL_BITS;
        if (current.version() == version) {
            long another = (version + 1) % (1L << (63 - TOTAL_BITS));
            WORD.compareAndSet(this, seen, another << TOTAL_BITS | (seen & TOTAL));
        } else if (word == seen) {
            MARKS.compareAndSet(this, current, current.under(rate.nanos(), version, seen & TOTAL, now));
        }
    }

    @Override
    public void refund(WindowRate rate, long permits, long takenAt, long taken, LongSupplier clock) {}

    @Override
    public boolean removeIfIdle(long now) {
        long seen = word;
        return seen != REMOVED && idle(seen, now) && WORD.compareAndSet(this, seen, REMOVED);
    }

    @Override
    public boolean isIdle(long now) {
        long seen = word;
        return seen == REMOVED || idle(seen, now);
    }

    @Override
    public long idleFrom() {
        return Math.max(since, marks.idleFrom(word & TOTAL));
    }

    private boolean idle(long seen, long now) {
        SliceMarks current = marks;
        return now >= since && current.version() == seen >>> TOTAL_BITS && current.idle(now, seen & TOTAL);
    }

    @Override
    public boolean removed() {
        return word == REMOVED;
    }
}
