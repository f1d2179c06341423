package io.sluice.client;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The state of one host: until when it asked for a pause, and its retry budget. Times are monotonic nanoseconds, never negative. Thread-safe
 * without locks.
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

    HostState(String name, RetryPolicy policy) {
        this.name = name;
        this.mostWaiting = policy.mostWaiting();
        this.budget = new RetryBudget(policy.reserve(), policy.ratio());
    }

    String name() {
        return name;
    }

    RetryBudget budget() {
        return budget;
    }

    /** Pauses calls to the host until this time. Earlier times than the current one have no effect. */
    void close(long until) {
        closedUntil.accumulateAndGet(until, Math::max);
    }

    /** Returns how long the pause still lasts, 0 when there is none. */
    long closedFor(long now) {
        return Math.max(0, closedUntil.get() - now);
    }

    /** Takes a slot among the waiting calls; false when there is none left. */
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
     * Returns whether the state equals a new one, or the host has not been called for ten minutes. Only calls refill a budget, and they may never
     * come.
     */
    boolean idle(long now) {
        return calls.get() == 0 && closedFor(now) == 0 && (budget.full() || now - left > FORGOTTEN_AFTER_NANOS);
    }
}
