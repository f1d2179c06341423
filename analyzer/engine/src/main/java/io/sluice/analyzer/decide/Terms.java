package io.sluice.analyzer.decide;

import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.LockRule;

/**
 * A policy's terms of a lock of one subject. They may change while the lock lasts.
 *
 * @param rate requests a second for {@link Mode#THROTTLE}, else 0
 * @param shadow whether the lock only reports
 * @param release the part of the threshold under which demand, or a debt, opens the gate early
 */
record Terms(Mode mode, double rate, boolean shadow, Length length, double release) {

    static Terms of(LockRule rule, boolean enforce) {
        return new Terms(
                rule.mode(),
                rule.mode() == Mode.THROTTLE ? rule.rate() : 0,
                rule.shadow() || rule.mode() == Mode.SHADOW || !enforce,
                Length.of(rule),
                rule.release());
    }

    /** Returns whether records of both are equal. */
    boolean readsLike(Terms other) {
        return mode == other.mode && rate == other.rate && shadow == other.shadow;
    }
}
