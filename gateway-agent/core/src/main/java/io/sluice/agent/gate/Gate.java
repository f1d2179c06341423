package io.sluice.agent.gate;

import io.sluice.agent.limit.TokenBucket;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is kept for one subject of one policy: the bucket of its local limit (the gate is that bucket, to save an object
 * and a cache miss), and the locks on it, if any. Locks are written by the agent's own threads under the lock book's
 * monitor and read by any.
 */
final class Gate extends TokenBucket {
    private volatile @Nullable HeldLock analyzer;
    private volatile @Nullable HeldLock operator;
    private volatile @Nullable TokenBucket throttle;

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
