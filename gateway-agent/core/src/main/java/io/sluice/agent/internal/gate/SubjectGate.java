package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.limit.Limiter;
import io.sluice.agent.internal.limit.LimiterConfig;
import io.sluice.agent.internal.limit.TokenBucket;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of one subject of one policy: a limiter for each limit that its requests fell under, and its locks. The gate itself is the limiter
 * of its first token bucket, to save an object and a cache miss. Locks are written by the agent's threads under the lock registry's monitor
 * and read by any thread. Limiters are added and removed under the gate's monitor, and used without it.
 */
final class SubjectGate extends TokenBucket implements SubjectEntry {
    private static final int UNUSED = -1;

    private final long head;
    private final long tail;
    private final @Nullable Object name;
    // slot of the limit whose bucket the gate is; written once, under the monitor, before the bucket is initialized
    private int slot;
    // most gates have only their bucket: then a gate is 64 bytes, a cache line
    private volatile @Nullable More more;
    // without a barrier: a stale value costs a look-up
    private int unlockedAsOf;

    private static final class More {
        private volatile @Nullable LockEntry analyzer;
        private volatile @Nullable LockEntry operator;
        private volatile @Nullable TokenBucket throttle;
        private volatile @Nullable Link first;
    }

    private record Link(
            int slot,
            Algorithm algorithm,
            boolean shadow,
            boolean warmsUp,
            Limiter<?> limiter,
            @Nullable Link next) {
        boolean isOf(Limit limit) {
            return slot == limit.slot()
                    && algorithm == limit.algorithm()
                    && shadow == limit.shadow()
                    && warmsUp == limit.warmsUp();
        }

        Link before(@Nullable Link following) {
            return new Link(slot, algorithm, shadow, warmsUp, limiter, following);
        }
    }

    /** Creates a gate whose bucket has yet to be initialized. */
    SubjectGate(SubjectKey key) {
        this(key, UNSETTLED, UNUSED);
    }

    /** @param fullAt when its bucket, of the limits that depend on the subject alone, will be full */
    SubjectGate(SubjectKey key, long fullAt) {
        this(key, fullAt, LimiterSlots.SUBJECT);
    }

    private SubjectGate(SubjectKey key, long fullAt, int slot) {
        super(fullAt);
        this.slot = slot;
        head = key.head();
        tail = key.tail();
        name = key.name();
    }

    @Override
    public long head() {
        return head;
    }

    @Override
    public long tail() {
        return tail;
    }

    @Override
    public @Nullable Object name() {
        return name;
    }

    /** Returns whether no other policy that counts by the same attributes had a lock on the subject at this {@link LockRegistry#arrivals}. */
    boolean unlockedAsOf(int arrivals) {
        return unlockedAsOf == arrivals;
    }

    void setUnlockedAsOf(int arrivals) {
        unlockedAsOf = arrivals;
    }

    /** Returns the limiter of a limit, {@code null} when there is none yet. */
    @SuppressWarnings("unchecked") // an algorithm's limiter is only asked for its own terms
    @Nullable
    Limiter<LimiterConfig> limiter(Limit limit) {
        if (isBucketOf(limit)) {
            return (Limiter<LimiterConfig>) (Limiter<?>) this;
        }
        for (Link link = links(); link != null; link = link.next) {
            if (link.isOf(limit)) {
                return (Limiter<LimiterConfig>) link.limiter;
            }
        }
        return null;
    }

    /** Returns whether the gate is itself the limiter of a limit. */
    boolean isBucketOf(Limit limit) {
        return slot == limit.slot() && limit.fitsGate();
    }

    /** Makes the gate's bucket the limiter of a limit, unless it belongs to another; under the gate's monitor. */
    boolean becomesBucketOf(Limit limit) {
        if (slot == UNUSED && limit.fitsGate()) {
            slot = limit.slot();
        }
        return isBucketOf(limit);
    }

    private @Nullable Link links() {
        More all = more;
        return all == null ? null : all.first;
    }

    private synchronized More more() {
        More all = more;
        if (all == null) {
            all = new More();
            more = all;
        }
        return all;
    }

    /** Adds a missing limiter; under the gate's monitor. */
    void add(Limit limit, Limiter<?> limiter) {
        More all = more();
        all.first = new Link(limit.slot(), limit.algorithm(), limit.shadow(), limit.warmsUp(), limiter, all.first);
    }

    /** Returns whether all limiters are idle. */
    boolean idle(long now) {
        boolean idle = idleFrom() <= now;
        for (Link link = links(); idle && link != null; link = link.next) {
            idle = link.limiter.isIdle(now);
        }
        return idle;
    }

    /** Removes idle limiters, and the gate itself when none is left. */
    synchronized boolean removeIdleLimiters(long now) {
        More all = more;
        Link kept = null;
        for (Link link = links(); link != null; link = link.next) {
            if (!link.limiter.removeIfIdle(now)) {
                kept = link.before(kept);
            }
        }
        if (all != null) {
            all.first = kept;
        }
        return kept == null && removeIfIdle(now);
    }

    /** Drops the limiters of other slots than these, in use or not. The gate's own bucket stays. */
    void retain(Set<Integer> slots) {
        for (Link link = links(); link != null; link = link.next) {
            if (!slots.contains(link.slot)) {
                dropOthers(slots);
                return;
            }
        }
    }

    private synchronized void dropOthers(Set<Integer> slots) {
        Link kept = null;
        for (Link link = links(); link != null; link = link.next) {
            if (slots.contains(link.slot)) {
                kept = link.before(kept);
            }
        }
        more().first = kept;
    }

    void hold(@Nullable LockEntry byAnalyzer, @Nullable LockEntry byOperator) {
        if (more == null && byAnalyzer == null && byOperator == null) {
            return;
        }
        More all = more();
        if (all.throttle == null && (throttles(byAnalyzer) || throttles(byOperator))) {
            all.throttle = new TokenBucket(0);
        }
        all.operator = byOperator;
        all.analyzer = byAnalyzer;
    }

    private static boolean throttles(@Nullable LockEntry lock) {
        return lock != null && lock.throttles();
    }

    @Override
    public @Nullable LockEntry analyzer() {
        More all = more;
        return all == null ? null : all.analyzer;
    }

    @Override
    public @Nullable LockEntry operator() {
        More all = more;
        return all == null ? null : all.operator;
    }

    @Override
    public @Nullable LockEntry lock(long now, boolean operatorOnly) {
        More all = more;
        if (all == null) {
            return null;
        }
        LockEntry byOperator = all.operator;
        if (byOperator != null && !byOperator.expired(now)) {
            return byOperator;
        }
        LockEntry byAnalyzer = all.analyzer;
        return operatorOnly || byAnalyzer == null || byAnalyzer.expired(now) ? null : byAnalyzer;
    }

    /** Returns the bucket of a throttling lock, which is created before the lock; {@code null} when there never was one. */
    @Nullable
    TokenBucket throttle() {
        More all = more;
        return all == null ? null : all.throttle;
    }
}
