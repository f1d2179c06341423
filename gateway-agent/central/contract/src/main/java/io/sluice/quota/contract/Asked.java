package io.sluice.quota.contract;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Calls of a strategy that wait for the answer. */
final class Asked {
    /** Seconds; only a call that hangs takes as long. */
    private static final int PATIENCE = 120;

    private Asked() {}

    static QuotaCharge charge(QuotaLimit limit, String subject, long permits) {
        return new QuotaCharge(limit, subject, subject, permits);
    }

    static QuotaAnswer acquire(QuotaStrategy strategy, QuotaLimit limit, String subject, long permits) {
        return acquire(strategy, List.of(charge(limit, subject, permits)));
    }

    static QuotaAnswer acquire(QuotaStrategy strategy, List<QuotaCharge> charges) {
        return result(strategy.acquire(charges).toCompletableFuture());
    }

    static void adjust(QuotaStrategy strategy, QuotaLimit limit, String subject, long permits) {
        result(strategy.adjust(List.of(charge(limit, subject, permits))).toCompletableFuture());
    }

    /** Takes one permit after the other until one is refused, and returns how many were granted, at most {@code most}. */
    static int takeAll(QuotaStrategy strategy, QuotaLimit limit, String subject, int most) {
        int granted = 0;
        while (granted < most && acquire(strategy, limit, subject, 1).granted()) {
            granted++;
        }
        return granted;
    }

    /** @throws CompletionException with the cause when the call failed */
    static <T> T result(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE, SECONDS);
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("not completed within " + PATIENCE + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
