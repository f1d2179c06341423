package io.sluice.client;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is known of one host: until when it asked to be left alone, and what may still be retried there. Times are
 * monotonic nanoseconds, never negative. Thread-safe without a lock.
 */
final class HostState {
    private static final long FORGOTTEN_AFTER_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final String name;
    private final int mostWaiting;
    private final RetryBudget budget;
    private final AtomicLong closedUntil = new AtomicLong();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile long left;

    HostState(String name, RetryPolicy patience) {
        this.name = name;
        this.mostWaiting = patience.mostWaiting();
        this.budget = new RetryBudget(patience.reserve(), patience.ratio());
    }

    String name() {
        return name;
    }

    RetryBudget budget() {
        return budget;
    }

    /** Nobody goes there before {@code until}; an earlier time than was said already changes nothing. */
    void close(long until) {
        closedUntil.accumulateAndGet(until, Math::max);
    }

    /** How long it is closed still, 0 when it is open. */
    long closedFor(long now) {
        return Math.max(0, closedUntil.get() - now);
    }

    /** Takes a place among those who wait; false when there is none left. */
    boolean startWaiting() {
        if (waiting.incrementAndGet() > mostWaiting) {
            waiting.decrementAndGet();
            return false;
        }
        return true;
    }

    void stopWaiting() {
        waiting.decrementAndGet();
    }

    void enter() {
        calls.incrementAndGet();
    }

    void leave(long now) {
        left = now;
        calls.decrementAndGet();
    }

    /**
     * Whether it can't be told from a new one, or nobody has called it for long: a budget that was drawn on is filled by calls
     * alone, which may never come.
     */
    boolean idle(long now) {
        return calls.get() == 0 && closedFor(now) == 0 && (budget.full() || now - left > FORGOTTEN_AFTER_NANOS);
    }
}
