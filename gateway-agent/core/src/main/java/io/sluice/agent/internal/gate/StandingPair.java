package io.sluice.agent.internal.gate;

import io.sluice.contract.lock.Mode;
import org.jspecify.annotations.Nullable;

/** The analyzer's and the operator's decision about one subject. Immutable. */
record StandingPair(@Nullable Standing analyzer, @Nullable Standing operator) {
    static final StandingPair NONE = new StandingPair(null, null);

    static StandingPair of(@Nullable Kept kept) {
        return kept == null ? NONE : new StandingPair(standing(kept.analyzer()), standing(kept.operator()));
    }

    private static @Nullable Standing standing(@Nullable HeldLock lock) {
        return lock == null ? null : lock.standing();
    }

    StandingPair at(long now) {
        return new StandingPair(at(analyzer, now), at(operator, now));
    }

    private static @Nullable Standing at(@Nullable Standing standing, long now) {
        return standing == null || standing.lease().over(now) ? null : standing;
    }

    boolean none() {
        return analyzer == null && operator == null;
    }

    /** What of it a policy obeys. */
    StandingPair fitting(GatePolicy policy) {
        return new StandingPair(fitting(analyzer, policy), fitting(operator, policy));
    }

    private static @Nullable Standing fitting(@Nullable Standing standing, GatePolicy policy) {
        return standing != null && policy.fits(standing) ? standing : null;
    }

    /** The rest, when this part is taken away. */
    StandingPair without(StandingPair part) {
        return new StandingPair(part.analyzer == null ? analyzer : null, part.operator == null ? operator : null);
    }

    /** Both parts together. */
    StandingPair and(StandingPair part) {
        return new StandingPair(
                analyzer == null ? part.analyzer : analyzer, operator == null ? part.operator : operator);
    }

    boolean closes() {
        return closes(analyzer) || closes(operator);
    }

    private static boolean closes(@Nullable Standing standing) {
        return standing != null && standing.mode() != Mode.OPEN;
    }
}
