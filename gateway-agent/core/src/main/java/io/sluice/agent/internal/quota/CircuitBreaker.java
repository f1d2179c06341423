package io.sluice.agent.internal.quota;

import io.sluice.agent.quota.QuotaStatus.State;

/**
 * Stops asking a store that fails. Opens after {@value #FAILURES} failures in a row; tries the store with one request after a backoff that doubles from
 * half a second to two seconds. The first success begins the return: it goes on with one request every half second, and the breaker closes when all
 * succeeded for longer than the longest backoff. By then every agent that is asked has begun its return, and has charged what it granted meanwhile. Time
 * is a parameter. Thread-safe.
 */
final class CircuitBreaker {
    static final int FAILURES = 5;
    static final long FIRST_BACKOFF_NANOS = 500_000_000;
    static final long LONGEST_BACKOFF_NANOS = 2_000_000_000L;
    static final long RETURN_NANOS = LONGEST_BACKOFF_NANOS + FIRST_BACKOFF_NANOS;

    private volatile State state = State.CLOSED;
    private volatile int failures;
    private volatile boolean returning;
    private long returningSince;
    private long backoff = FIRST_BACKOFF_NANOS;
    private long nextProbe;

    State state() {
        return state;
    }

    boolean closed() {
        return state == State.CLOSED;
    }

    /** Returns whether the store answered its last trial, although requests are not decided by it yet. */
    boolean returning() {
        return returning;
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
        if (!succeeded) {
            returning = false;
            backoff = Math.min(2 * backoff, LONGEST_BACKOFF_NANOS);
            nextProbe = now + backoff;
            state = State.OPEN;
            return;
        }
        if (!returning) {
            returning = true;
            returningSince = now;
        }
        if (now - returningSince >= RETURN_NANOS) {
            failures = 0;
            backoff = FIRST_BACKOFF_NANOS;
            state = State.CLOSED;
            returning = false;
        } else {
            nextProbe = now + FIRST_BACKOFF_NANOS;
            state = State.OPEN;
        }
    }
}
