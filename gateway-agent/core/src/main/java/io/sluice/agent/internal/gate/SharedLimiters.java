package io.sluice.agent.internal.gate;

import io.sluice.agent.internal.limit.Limiter;
import io.sluice.agent.internal.limit.LimiterConfig;
import io.sluice.agent.internal.limit.TokenRate;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The limiters of those for whom there is no room, one for each limit of a policy, and how whoever leaves them starts. Thread-safe. */
final class SharedLimiters {
    private final SubjectGate all = new SubjectGate(SubjectKey.ONLY, 0);
    private volatile long sweptAt;

    /** Idle gates are being forgotten. */
    void swept(long now) {
        sweptAt = Math.max(sweptAt, now);
    }

    /** Drops the limiters of other slots than these. */
    void retain(Set<Integer> slots) {
        all.retain(slots);
    }

    /** The limiter of a limit. */
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
            // the subject's own gate may just have been swept
            all.idleNotBefore((TokenRate) limit.terms(), sweptAt, now);
        }
        return known;
    }

    boolean has(Limiter<LimiterConfig> limiter, Limit limit) {
        return limiter == all.limiter(limit);
    }

    /** Takes a permit of a shared limiter or of a subject's own, as {@link Limiter#take}. */
    long take(Limiter<LimiterConfig> limiter, Limit limit, long now) {
        // the subject's own limiter may just have been swept, and a late thread might have found it in use
        boolean late = now < sweptAt && !all.isBucketOf(limit) && has(limiter, limit);
        return late ? now - sweptAt : limiter.take(limit.terms(), now);
    }

    /**
     * Starts a gate's own limiter, under the gate's monitor; or gives the shared one, where the subject has to stay with
     * it for a while.
     */
    @Nullable
    Limiter<LimiterConfig> started(SubjectGate gate, Limit limit, long now, LongSupplier ticks) {
        Limiter<LimiterConfig> shared = all.limiter(limit);
        boolean spent = shared != null && !shared.isIdle(now);
        if (spent && limit.inFlight()) {
            // who is in flight through the shared limiter is not known: it may be this subject
            return shared;
        }
        // others may have been charged to the shared one with later times
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
