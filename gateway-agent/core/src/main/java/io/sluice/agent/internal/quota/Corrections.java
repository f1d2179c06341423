package io.sluice.agent.internal.quota;

import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Corrections on their way to a store: refunds, settlements and what was granted while the store was away. Those of one quota are added up; up to
 * {@value #MOST} quotas wait, further ones are dropped and counted. One batch of up to {@value #BATCH} is sent at a time, and not repeated when it
 * fails, since the store may have applied it. Thread-safe.
 */
final class Corrections {
    static final int MOST = 10_000;
    static final int BATCH = 500;
    static final Duration ANSWER = Duration.ofSeconds(5);

    private final QuotaStrategy strategy;
    private final BooleanSupplier open;
    private final long answerMillis;
    private final LongAdder dropped = new LongAdder();
    private final Map<QuotaKey, QuotaCharge> waiting = new LinkedHashMap<>();
    private boolean sending;

    /**
     * @param open whether the store can be asked now; corrections wait otherwise
     * @param answer for how long a batch waits for the store's answer
     */
    Corrections(QuotaStrategy strategy, BooleanSupplier open, Duration answer) {
        this.strategy = strategy;
        this.open = open;
        answerMillis = answer.toMillis();
    }

    long dropped() {
        return dropped.sum();
    }

    synchronized int waiting() {
        return waiting.size();
    }

    /** Adds a correction, to be sent by {@link #flush}. */
    synchronized void add(QuotaCharge charge) {
        QuotaKey key = QuotaKey.of(charge);
        QuotaCharge known = waiting.get(key);
        long permits = sum(charge.permits(), known == null ? 0 : known.permits());
        if (permits == 0) {
            waiting.remove(key);
        } else if (known != null || waiting.size() < MOST) {
            waiting.put(key, new QuotaCharge(charge.limit(), charge.subject(), charge.route(), permits));
        } else {
            dropped.increment();
        }
    }

    /** Adds within the range of a long: a sum that overflows would return what it should charge. */
    private static long sum(long a, long b) {
        long sum = a + b;
        boolean overflow = ((a ^ sum) & (b ^ sum)) < 0;
        return overflow ? a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE : sum;
    }

    /** Counts corrections that were lost elsewhere. */
    void drop(long count) {
        dropped.add(count);
    }

    /** Sends charges at once, batch after batch; true when the store has applied all. What it may not have applied is counted as dropped. */
    CompletableFuture<Boolean> sendAll(List<QuotaCharge> charges) {
        if (charges.isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        List<QuotaCharge> batch = charges.subList(0, Math.min(BATCH, charges.size()));
        return send(batch).handle((nothing, error) -> error == null).thenCompose(applied -> {
            if (applied) {
                return sendAll(charges.subList(batch.size(), charges.size()));
            }
            dropped.add(charges.size());
            return CompletableFuture.completedFuture(false);
        });
    }

    /** Sends what waits, unless a batch is on its way: that continues with the rest. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback handles the result
    void flush() {
        List<QuotaCharge> batch = next();
        while (batch != null) {
            List<QuotaCharge> sent = batch;
            CompletableFuture<Void> done = send(sent);
            if (!done.isDone()) {
                done.whenComplete((nothing, error) -> {
                    finished(sent, error != null);
                    flush();
                });
                return;
            }
            finished(sent, done.isCompletedExceptionally());
            batch = next();
        }
    }

    /** Sends what waits, and waits until the store has answered; so many milliseconds at most, and not for a store that cannot be asked. */
    void drain(long millis) {
        flush();
        try {
            awaitSent(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void awaitSent(long end) throws InterruptedException {
        long left = end - System.nanoTime();
        while (left > 0 && (sending || (!waiting.isEmpty() && open.getAsBoolean()))) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = end - System.nanoTime();
        }
    }

    private synchronized @Nullable List<QuotaCharge> next() {
        if (sending || waiting.isEmpty() || !open.getAsBoolean()) {
            return null;
        }
        sending = true;
        List<QuotaCharge> batch = new ArrayList<>();
        Iterator<QuotaCharge> rest = waiting.values().iterator();
        while (rest.hasNext() && batch.size() < BATCH) {
            batch.add(rest.next());
            rest.remove();
        }
        return batch;
    }

    private CompletableFuture<Void> send(List<QuotaCharge> batch) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        try {
            strategy.adjust(batch).whenComplete((nothing, error) -> {
                if (error == null) {
                    done.complete(null);
                } else {
                    done.completeExceptionally(error);
                }
            });
        } catch (RuntimeException | Error e) {
            done.completeExceptionally(e);
        }
        return done.isDone() ? done : done.orTimeout(answerMillis, TimeUnit.MILLISECONDS);
    }

    private synchronized void finished(List<QuotaCharge> batch, boolean failed) {
        sending = false;
        if (failed) {
            dropped.add(batch.size());
        }
        notifyAll();
    }
}
