package io.sluice.agent.internal.gate;

import io.sluice.agent.verdict.Quota;
import io.sluice.agent.verdict.Verdict;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Cached rejections of one policy's locks for one reason, one per second to wait: at most 1,024, about 56 KB. Thread-safe; an entry may be created
 * twice, with the same content.
 */
final class LockRejections {
    private static final int CACHED = 1024;

    private final String policy;
    private final Verdict.Reason reason;
    private volatile Verdict.@Nullable Rejected @Nullable [] cached;

    LockRejections(String policy, Verdict.Reason reason) {
        this.policy = policy;
        this.reason = reason;
    }

    /** Returns a rejection with this time to wait, mostly a cached one. */
    Verdict.Rejected after(long seconds) {
        @Nullable Verdict.Rejected[] known = cached;
        if (known == null) {
            known = new Verdict.Rejected[CACHED];
            cached = known;
        }
        int index = (int) (seconds % CACHED);
        Verdict.Rejected rejection = known[index];
        if (rejection == null || rejection.retryAfterMillis() != seconds * 1000) {
            Quota quota = new Quota(policy, 0, TimeUnit.SECONDS.toNanos(seconds), 0, seconds);
            rejection = new Verdict.Rejected(reason, policy, seconds * 1000, quota);
            // records may be published without a barrier
            known[index] = rejection;
        }
        return rejection;
    }
}
