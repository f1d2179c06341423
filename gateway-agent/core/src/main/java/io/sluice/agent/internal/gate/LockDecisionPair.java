package io.sluice.agent.internal.gate;

import io.sluice.contract.lock.Mode;
import org.jspecify.annotations.Nullable;

/** The analyzer's and the operator's decision about one subject. Immutable. */
record LockDecisionPair(
        @Nullable LockDecision analyzer, @Nullable LockDecision operator) {
    static final LockDecisionPair NONE = new LockDecisionPair(null, null);

    static LockDecisionPair of(@Nullable SubjectEntry kept) {
        return kept == null ? NONE : new LockDecisionPair(standing(kept.analyzer()), standing(kept.operator()));
    }

    private static @Nullable LockDecision standing(@Nullable LockEntry lock) {
        return lock == null ? null : lock.standing();
    }

    LockDecisionPair at(long now) {
        return new LockDecisionPair(at(analyzer, now), at(operator, now));
    }

    private static @Nullable LockDecision at(@Nullable LockDecision standing, long now) {
        return standing == null || standing.lease().expired(now) ? null : standing;
    }

    boolean none() {
        return analyzer == null && operator == null;
    }

    /** Returns the decisions that a policy applies. */
    LockDecisionPair fitting(GatePolicy policy) {
        return new LockDecisionPair(fitting(analyzer, policy), fitting(operator, policy));
    }

    private static @Nullable LockDecision fitting(@Nullable LockDecision standing, GatePolicy policy) {
        return standing != null && policy.fits(standing) ? standing : null;
    }

    /** Returns the rest without a part. */
    LockDecisionPair without(LockDecisionPair part) {
        return new LockDecisionPair(part.analyzer == null ? analyzer : null, part.operator == null ? operator : null);
    }

    /** Returns both parts together. */
    LockDecisionPair and(LockDecisionPair part) {
        return new LockDecisionPair(
                analyzer == null ? part.analyzer : analyzer, operator == null ? part.operator : operator);
    }

    boolean closes() {
        return closes(analyzer) || closes(operator);
    }

    private static boolean closes(@Nullable LockDecision standing) {
        return standing != null && standing.mode() != Mode.OPEN;
    }
}
