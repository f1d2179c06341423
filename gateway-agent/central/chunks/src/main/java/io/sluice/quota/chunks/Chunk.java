package io.sluice.quota.chunks;

import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Permits of one subject that the store has granted and that were not used yet. Times are of {@link System#nanoTime}. Thread-safe; its lock is held
 * for arithmetic only.
 *
 * <p>A chunk is at most what the subject used in the last {@code ahead}, and at most a quarter of what the store had left: chunks get smaller as
 * the limit runs out, as in guided self-scheduling (Polychronopoulos and Kuck, IEEE Transactions on Computers 36(12), 1987).
 */
final class Chunk {
    private static final long SHARE_OF_REST = 4;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int MOST_WAITING = 1_000;

    private final QuotaLimit limit;
    private final QuotaCharge subject;
    private final long aheadNanos;
    private long held;
    private long heldSince;
    // an exponentially weighted count: the use in the last aheadNanos
    private double used;
    private double usedBefore;
    private long lastUse;
    // permits left in the store when it answered last
    private long left;
    private long refusedPermits = Long.MAX_VALUE;
    private long refusedUntil;
    private long askAgainAt;
    private boolean retired;
    private @Nullable CompletableFuture<Void> fetch;
    private int waiting;

    Chunk(QuotaCharge charge, long aheadNanos, long now) {
        limit = charge.limit();
        subject = charge;
        this.aheadNanos = aheadNanos;
        lastUse = now;
        heldSince = now;
    }

    /** Counts the use of permits. */
    synchronized void use(long permits, long now) {
        usedBefore = used * Math.exp(-(double) Math.max(0, now - lastUse) / aheadNanos);
        used = usedBefore + permits;
        lastUse = now;
    }

    /** Takes held permits, at most so many; -1 when this chunk was retired. */
    synchronized long take(long permits, long now) {
        if (retired) {
            return -1;
        }
        if (limit.algorithm() != Algorithm.TOKEN_BUCKET && now - heldSince >= limit.perMillis() * NANOS_PER_MILLI) {
            // their window is over at the store
            held = 0;
        }
        long taken = Math.min(held, permits);
        held -= taken;
        return taken;
    }

    /** Puts permits back that {@link #take} gave; false when this chunk was retired. */
    synchronized boolean putBack(long permits) {
        if (!retired) {
            held += permits;
        }
        return !retired;
    }

    /** Returns how many permits to take ahead. */
    synchronized long ahead() {
        return (long) Math.min(usedBefore, (double) left / SHARE_OF_REST);
    }

    /** Stores what the store granted. */
    synchronized void fill(long permits, long leftInStore, long askedAt) {
        if (held == 0) {
            heldSince = askedAt;
        }
        held += permits;
        left = leftInStore;
        refusedPermits = Long.MAX_VALUE;
    }

    /** Stores that the store refused so many permits, for as long as it expects. What was promised before holds: stores round their waits up. */
    synchronized void refuse(long permits, long leftInStore, long askedAt, long now, long waitNanos) {
        boolean promised = refusedPermits != Long.MAX_VALUE && permits <= refusedPermits && refusedUntil - now > 0;
        long latest = promised ? refusedUntil - now : Long.MAX_VALUE;
        left = leftInStore;
        refusedPermits = permits;
        refusedUntil = now + Math.min(waitNanos, latest);
        // the store refused after it was asked: until then at least
        long again = Math.min(waitNanos, aheadNanos);
        askAgainAt = promised && refusedUntil - askedAt < again ? refusedUntil : askedAt + again;
    }

    /** Returns for how long so many permits are refused without asking the store; 0 when it has to be asked. */
    synchronized long refusedFor(long permits, long now) {
        return permits >= refusedPermits && now - askAgainAt < 0 ? Math.max(1, refusedUntil - now) : 0;
    }

    synchronized void left(long leftInStore) {
        left = leftInStore;
    }

    /** Returns the permits left, as far as known. */
    synchronized long remaining() {
        return held + left;
    }

    synchronized long held() {
        return held;
    }

    /** Empties this chunk for a correction, and returns what was held and is still charged at the store. */
    synchronized long drain(long now) {
        long charged = stillCharged(now);
        held = 0;
        left = 0;
        refusedPermits = Long.MAX_VALUE;
        return charged;
    }

    /** Retires this chunk when it was not used since a time and nothing is being fetched. */
    synchronized boolean retireIfIdle(long since) {
        if (fetch == null && lastUse - since <= 0) {
            retired = true;
        }
        return retired;
    }

    /** Returns the correction that gives back what is held; null when nothing is. */
    synchronized @Nullable QuotaCharge returned(long now) {
        long charged = stillCharged(now);
        held = 0;
        return charged == 0 ? null : charge(-charged);
    }

    QuotaCharge charge(long permits) {
        return new QuotaCharge(limit, subject.subject(), subject.route(), permits);
    }

    /** Begins to fetch; false when another call does. */
    synchronized boolean begin() {
        if (fetch != null) {
            return false;
        }
        fetch = new CompletableFuture<>();
        waiting = 0;
        return true;
    }

    /** Ends the fetch of {@link #begin}, and lets those go on that wait for it. */
    void end() {
        CompletableFuture<Void> ended;
        synchronized (this) {
            ended = fetch;
            fetch = null;
        }
        if (ended != null) {
            ended.complete(null);
        }
    }

    /** Returns the end of the fetch under way, completed when there is none. */
    synchronized CompletableFuture<Void> fetched() {
        if (fetch == null) {
            return CompletableFuture.completedFuture(null);
        }
        if (++waiting > MOST_WAITING) {
            return CompletableFuture.failedFuture(new IllegalStateException(
                    "more than " + MOST_WAITING + " calls wait for the quota of " + subject.subject()));
        }
        return fetch;
    }

    /** What has returned by itself at the store meanwhile must not be returned twice. */
    private long stillCharged(long now) {
        double elapsed = Math.max(0, now - heldSince) / (limit.perMillis() * NANOS_PER_MILLI);
        if (limit.algorithm() == Algorithm.TOKEN_BUCKET) {
            return Math.max(0, held - (long) Math.ceil(elapsed * limit.permits()));
        }
        return elapsed < 1 ? held : 0;
    }
}
