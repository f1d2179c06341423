package io.sluice.agent.internal.quota;

import io.sluice.agent.quota.QuotaStatus.State;

/**
 * Stops asking a store that fails. Opens after {@value #FAILURES} failures in a row; tries the store with one request after a backoff that doubles from
 * half a second to ten seconds; closes when that succeeded. Time is a parameter. Thread-safe.
 */
final class CircuitBreaker {
    static final int FAILURES = 5;
    static final long FIRST_BACKOFF_NANOS = 500_000_000;
    static final long LONGEST_BACKOFF_NANOS = 10_000_000_000L;

    private volatile State state = State.CLOSED;
    private volatile int failures;
    private long backoff = FIRST_BACKOFF_NANOS;
    private long nextProbe;

    State state() {
        return state;
    }

    boolean closed() {
        return state == State.CLOSED;
    }

    void succeeded() {
        if (failures != 0) {
            reset();
        }
    }

    private synchronized void reset() {
        if (state == State.CLOSED) {
            failures = 0;
        }
    }

    /** Counts a failure of a request that was asked while closed. */
    synchronized void failed(long now) {
        if (state == State.CLOSED && ++failures >= FAILURES) {
            state = State.OPEN;
            nextProbe = now + backoff;
        }
    }

    /** Returns whether the caller shall try the store: then it reports the result by {@link #probed}. */
    boolean probes(long now) {
        return state == State.OPEN && begin(now);
    }

    private synchronized boolean begin(long now) {
        if (state != State.OPEN || now < nextProbe) {
            return false;
        }
        state = State.HALF_OPEN;
        return true;
    }

    synchronized void probed(boolean succeeded, long now) {
        if (succeeded) {
            failures = 0;
            backoff = FIRST_BACKOFF_NANOS;
            state = State.CLOSED;
        } else {
            backoff = Math.min(2 * backoff, LONGEST_BACKOFF_NANOS);
            nextProbe = now + backoff;
            state = State.OPEN;
        }
    }
}
