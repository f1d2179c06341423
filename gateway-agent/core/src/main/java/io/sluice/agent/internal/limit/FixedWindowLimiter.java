package io.sluice.agent.internal.limit;

import java.util.function.LongSupplier;

/**
 * Counts from one border of the window to the next. Never more than N between two borders; but N just before a border and
 * N just after it make 2N within a moment, which is the price of so cheap a counter.
 *
 * <p>One long holds both: the start of the window plus the count, which is less than a window's nanoseconds (so a limit
 * faster than a permit a nanosecond is taken for that). A thread whose time lies before the window that others have
 * reached is counted in theirs, so nothing is lost.
 *
 * <p>When the window changes, what was counted in the open one is carried into the one of the new length. A permit is
 * given back as long as its window is open.
 */
public final class FixedWindowLimiter extends CasLimiter<WindowRate> {
    /** A counter that has to be settled. */
    public FixedWindowLimiter() {
        this(UNSETTLED);
    }

    private FixedWindowLimiter(long word) {
        super(word);
    }

    @Override
    long takeFromState(WindowRate rate, long permits, long now) {
        long window = rate.nanos();
        long most = most(rate);
        if (permits > most) {
            return NEVER;
        }
        while (true) {
            long current = state();
            if (current < 0) {
                return stateOf(current);
            }
            long count = current % window;
            long start = current - count;
            if (now - start >= window) {
                start = now - now % window;
                count = 0;
            }
            if (count > most - permits) {
                return now - start - window;
            }
            if (replace(current, start + count + permits)) {
                return most - count - permits;
            }
        }
    }

    private static long most(WindowRate rate) {
        return Math.min(rate.permits(), rate.nanos() - 1);
    }

    @Override
    public void refund(WindowRate rate, long permits, long takenAt, long taken, LongSupplier clock) {
        CasLimiter<WindowRate> at = current();
        while (at.isUnder(rate)) {
            long current = at.state();
            long count = current % rate.nanos();
            boolean open = current >= 0 && count >= permits && current - count <= takenAt;
            if (!open || at.replace(current, current - permits)) {
                return;
            }
        }
    }

    @Override
    long converted(WindowRate from, long word, WindowRate to, long now) {
        long count = word % from.nanos();
        long open = word - count + from.nanos() > now ? count : 0;
        return idle(to, Math.max(now, word - count)) + Math.min(open, to.nanos() - 1);
    }

    @Override
    long idleFrom(WindowRate rate, long word) {
        long count = word % rate.nanos();
        return count == 0 ? word : word - count + rate.nanos();
    }

    @Override
    long idle(WindowRate rate, long since) {
        return since - since % rate.nanos();
    }

    @Override
    long spent(WindowRate rate, long now) {
        return idle(rate, now) + most(rate);
    }

    @Override
    CasLimiter<WindowRate> successor(long word) {
        return new FixedWindowLimiter(word);
    }
}
