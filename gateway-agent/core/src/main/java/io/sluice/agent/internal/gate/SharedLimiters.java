package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.limit.Limiter;
import io.sluice.agent.internal.limit.LimiterConfig;
import io.sluice.agent.internal.limit.TokenRate;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The limiters shared by all subjects without room for a gate, one per limit of a policy, and the state in which a subject's own limiter starts.
 * Thread-safe.
 */
final class SharedLimiters {
    private final SubjectGate all = new SubjectGate(SubjectKey.ONLY, 0);
    private volatile long sweptAt;

    /** Records a sweep: idle gates up to this time are removed. */
    void swept(long now) {
        sweptAt = Math.max(sweptAt, now);
    }

    /** Drops the limiters of other slots than these. */
    void retain(Set<Integer> slots) {
        all.retain(slots);
    }

    /** Returns the shared limiter of a limit. */
    Limiter<LimiterConfig> limiter(Limit limit, long now) {
        Limiter<LimiterConfig> known = all.limiter(limit);
        if (known == null) {
            synchronized (all) {
                known = all.limiter(limit);
                if (known == null) {
                    all.add(limit, limit.started(false, 0));
                    known = Objects.requireNonNull(all.limiter(limit));
                }
            }
        }
        if (all.isBucketOf(limit)) {
            // the subject's own gate may have just been swept
            all.idleNotBefore((TokenRate) limit.terms(), sweptAt, now);
        }
        return known;
    }

    boolean has(Limiter<LimiterConfig> limiter, Limit limit) {
        return limiter == all.limiter(limit);
    }

    /** Takes permits from a shared limiter or a subject's own, as {@link Limiter#take}. */
    long take(Limiter<LimiterConfig> limiter, Limit limit, long permits, long now) {
        // the subject's own limiter may have just been swept, although a late thread would have found it in use
        boolean late = now < sweptAt && !all.isBucketOf(limit) && has(limiter, limit);
        return late ? now - sweptAt : limiter.take(limit.terms(), permits, now);
    }

    /** Creates a gate's own limiter under the gate's monitor, or returns the shared one while the subject has to stay with it. */
    @Nullable
    Limiter<LimiterConfig> started(SubjectGate gate, Limit limit, long now, LongSupplier ticks) {
        Limiter<LimiterConfig> shared = all.limiter(limit);
        boolean spent = shared != null && !shared.isIdle(now);
        if (spent && limit.inFlight()) {
            // the requests in flight of the shared limiter may be of this subject
            return shared;
        }
        // other threads may have charged the shared limiter with later times
        long since = Math.max(spent ? Math.max(now, ticks.getAsLong()) : idleFrom(shared), sweptAt);
        if (gate.becomesBucketOf(limit)) {
            gate.settle((TokenRate) limit.terms(), spent, since);
        } else {
            gate.add(limit, limit.started(spent, since));
        }
        return gate.limiter(limit);
    }

    private static long idleFrom(@Nullable Limiter<LimiterConfig> shared) {
        return shared == null ? 0 : shared.idleFrom();
    }
}
