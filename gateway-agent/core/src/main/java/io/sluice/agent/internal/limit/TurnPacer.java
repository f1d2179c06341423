package io.sluice.agent.internal.limit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Waits for slots of a leaky bucket. At most {@code maxWait / interval + 1} callers wait at once; others are rejected at once, so no queue grows
 * without bound. Thread-safe.
 *
 * <p>A caller that gives up refunds its slot only if it was the last one; otherwise the slot remains unused.
 */
public final class TurnPacer {
    private final LeakyBucket bucket;
    private final Pace pace;
    private final LongSupplier clock;
    private final ScheduledThreadPoolExecutor timer;

    /**
     * @param bucket settled
     * @param clock monotonic nanoseconds, never negative
     * @param timer completes the stages, and has to forget what is cancelled; stays the caller's
     */
    public TurnPacer(LeakyBucket bucket, Pace pace, LongSupplier clock, ScheduledThreadPoolExecutor timer) {
        if (!timer.getRemoveOnCancelPolicy()) {
            throw new IllegalArgumentException(
                    "the timer keeps what is cancelled, without bound; allowed: one with setRemoveOnCancelPolicy(true)");
        }
        this.bucket = bucket;
        this.pace = pace;
        this.clock = clock;
        this.timer = timer;
    }

    /**
     * Blocks until the caller's slot.
     *
     * @return false at once if that would take too long
     * @throws InterruptedException if the thread is interrupted before its slot
     */
    public boolean await() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long now = clock.getAsLong();
        long wait = bucket.take(pace, now);
        if (wait < 0) {
            return false;
        }
        for (long left = wait; left > 0; left = now + wait - clock.getAsLong()) {
            LockSupport.parkNanos(this, left);
            if (Thread.interrupted()) {
                bucket.refund(pace, 1, now, wait, clock);
                throw new InterruptedException();
            }
        }
        return true;
    }

    /** Returns a future that completes with true at the caller's slot, or at once with false if that would take too long. Cancelling it gives up. */
    public CompletableFuture<Boolean> whenAdmitted() {
        long now = clock.getAsLong();
        long wait = bucket.take(pace, now);
        if (wait <= 0) {
            return CompletableFuture.completedFuture(wait == 0);
        }
        CompletableFuture<Boolean> turn = new CompletableFuture<>();
        ScheduledFuture<?> timed;
        try {
            timed = timer.schedule(() -> turn.complete(true), wait, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            bucket.refund(pace, 1, now, wait, clock);
            throw e;
        }
        CompletableFuture<Boolean> unused = turn.whenComplete((admitted, failure) -> {
            if (failure != null) {
                timed.cancel(false);
                bucket.refund(pace, 1, now, wait, clock);
            }
        });
        return turn;
    }
}
