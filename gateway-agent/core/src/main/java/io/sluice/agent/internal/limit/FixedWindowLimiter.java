package io.sluice.agent.internal.limit;

import java.util.function.LongSupplier;

/**
 * A fixed window counter. Admits at most N between two window borders, but up to 2N around a border: the price of so cheap a counter.
 *
 * <p>One long holds the window's start plus the count, which is less than the window's nanoseconds, so rates are capped at one permit per
 * nanosecond. A thread whose time lies before the current window counts in the current one.
 *
 * <p>When the window changes, the open window's count is carried over. Permits are refunded while their window is open; after a
 * change of its length, while both are.
 */
public final class FixedWindowLimiter extends CasLimiter<WindowRate> {
    /** Creates a counter that has yet to be initialized. */
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

    @Override
    long nextPermit(WindowRate rate, long word, long now) {
        long count = word % rate.nanos();
        return count < most(rate) ? 0 : word - count + rate.nanos() - now;
    }

    @Override
    long charged(WindowRate rate, long word, long permits, long now) {
        long window = rate.nanos();
        long count = word % window;
        long start = word - count;
        boolean over = now - start >= window;
        long used = over ? 0 : count;
        return (over ? now - now % window : start) + used + Math.min(permits, window - 1 - used);
    }

    private static long most(WindowRate rate) {
        return Math.min(rate.permits(), rate.nanos() - 1);
    }

    @Override
    public void refund(WindowRate rate, long permits, long takenAt, long taken, LongSupplier clock) {
        while (true) {
            CasLimiter<WindowRate> at = current();
            WindowRate own = at.termsOr(rate);
            long window = own.nanos();
            long current = at.state();
            if (current < 0) {
                if (stateOf(current) != FROZEN) {
                    return;
                }
                // completes another thread's change without changing the configuration; that thread tries again
                changed(own, clock.getAsLong());
                continue;
            }
            long count = current % window;
            boolean open = count >= permits && current - count <= takenAt;
            // a count whose window had ended was not carried over
            boolean carried = window == rate.nanos() || clock.getAsLong() < idle(rate, takenAt) + rate.nanos();
            if (!open || !carried || at.replace(current, current - permits)) {
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
