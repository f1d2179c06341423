package io.sluice.agent.gate;

import io.sluice.agent.limit.Limiter;
import io.sluice.agent.limit.Terms;
import io.sluice.agent.limit.TokenBucket;
import io.sluice.contract.policy.LimitRule.Algorithm;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is kept for one subject of one policy: the bucket of its local limit (the gate is that bucket, to save an object
 * and a cache miss), a limiter for each other algorithm that its limits ask for (so that limits that alternate don't
 * start each other anew), and the locks on it, if any. Locks are written by the agent's own threads under the lock book's
 * monitor and read by any. Limiters are added and forgotten under the gate's own monitor, and used without it.
 */
final class Gate extends TokenBucket {
    private volatile @Nullable HeldLock analyzer;
    private volatile @Nullable HeldLock operator;
    private volatile @Nullable TokenBucket throttle;
    private volatile @Nullable Link first;

    private record Link(
            Algorithm algorithm,
            boolean shadow,
            Limiter<?> limiter,
            @Nullable Link next) {}

    /** A gate whose bucket has to be settled. */
    Gate() {}

    /** @param fullAt when its bucket will be full */
    Gate(long fullAt) {
        super(fullAt);
    }

    /** The limiter for a limit, {@code null} when there is none yet. */
    @SuppressWarnings("unchecked") // an algorithm's limiter is only asked for its own terms
    @Nullable
    Limiter<Terms> limiter(Limit limit) {
        if (limit.isGate()) {
            return (Limiter<Terms>) (Limiter<?>) this;
        }
        for (Link link = first; link != null; link = link.next) {
            if (link.algorithm == limit.algorithm() && link.shadow == limit.shadow()) {
                return (Limiter<Terms>) link.limiter;
            }
        }
        return null;
    }

    /** Adds a limiter that it has not; under the gate's monitor. */
    void add(Limit limit, Limiter<?> limiter) {
        first = new Link(limit.algorithm(), limit.shadow(), limiter, first);
    }

    /** Whether nothing of it counts any more but locks. */
    boolean idle(long now) {
        boolean idle = idleFrom() <= now;
        for (Link link = first; idle && link != null; link = link.next) {
            idle = link.limiter.isIdle(now);
        }
        return idle;
    }

    /** Forgets the limiters that can't be told from new ones, and then itself if none is left. */
    synchronized boolean forgetAllIfIdle(long now) {
        Link kept = null;
        for (Link link = first; link != null; link = link.next) {
            if (!link.limiter.forgetIfIdle(now)) {
                kept = new Link(link.algorithm, link.shadow, link.limiter, kept);
            }
        }
        first = kept;
        return kept == null && forgetIfIdle(now);
    }

    void hold(@Nullable HeldLock byAnalyzer, @Nullable HeldLock byOperator) {
        if (throttle == null && (throttles(byAnalyzer) || throttles(byOperator))) {
            throttle = new TokenBucket(0);
        }
        operator = byOperator;
        analyzer = byAnalyzer;
    }

    private static boolean throttles(@Nullable HeldLock lock) {
        return lock != null && lock.throttles();
    }

    /** What holds for this subject: an operator's word before the analyzer's. */
    @Nullable
    HeldLock lock(long now, boolean operatorOnly) {
        HeldLock byOperator = operator;
        if (byOperator != null && !byOperator.over(now)) {
            return byOperator;
        }
        HeldLock byAnalyzer = analyzer;
        return operatorOnly || byAnalyzer == null || byAnalyzer.over(now) ? null : byAnalyzer;
    }

    boolean held() {
        return analyzer != null || operator != null;
    }

    /** The bucket of a throttling lock, there before the lock is. */
    TokenBucket throttle() {
        return Objects.requireNonNull(throttle);
    }
}
