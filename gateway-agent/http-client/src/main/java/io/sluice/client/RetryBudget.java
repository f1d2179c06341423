package io.sluice.client;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Retries relative to calls: a bucket that starts full, takes a part of a token in with each call and gives a whole one
 * for each retry. So there are at most reserve + ratio × calls retries, whatever fails for how long, and of what was saved
 * up no more than the reserve is ever there. As the retry budget of Finagle (deposits and withdrawals,
 * com.twitter.finagle.service.RetryBudget) with the cap and without the clock of gRPC's retry throttling (proposal A6).
 * Thread-safe without a lock.
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

    /** A call was made, not counting its retries. */
    void called() {
        balance.accumulateAndGet(part, (saved, more) -> Math.min(most, saved + more));
    }

    /** Takes a retry out. */
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

    /** Whether it can't be told from a new one. */
    boolean full() {
        return balance.get() == most;
    }
}
