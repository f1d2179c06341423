package io.sluice.client;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A retry budget: a token bucket that starts full, gains a fraction of a token with each call and loses one with each retry. So there are at most
 * {@code reserve + ratio × calls} retries. Modelled after Finagle's RetryBudget (deposits and withdrawals) with the cap, and without the
 * clock, of gRPC's retry throttling (proposal A6). Thread-safe without locks.
 */
final class RetryBudget {
    private static final long TOKEN = 1_000_000;

    private final long most;
    private final long part;
    private final AtomicLong balance;

    /**
     * @param reserve most retries at once, 0 or more
     * @param ratio retries for each call, from 0 to 1, in millionths
     */
    RetryBudget(int reserve, double ratio) {
        this.most = reserve * TOKEN;
        this.part = Math.round(ratio * TOKEN);
        this.balance = new AtomicLong(most);
    }

    /** Adds a call's part. Retries are no calls. */
    void called() {
        balance.accumulateAndGet(part, (saved, more) -> Math.min(most, saved + more));
    }

    /** Takes a token; false when there is none. */
    boolean withdraw() {
        long saved = balance.get();
        while (saved >= TOKEN) {
            if (balance.compareAndSet(saved, saved - TOKEN)) {
                return true;
            }
            saved = balance.get();
        }
        return false;
    }

    /** Returns whether it equals a new one. */
    boolean full() {
        return balance.get() == most;
    }
}
