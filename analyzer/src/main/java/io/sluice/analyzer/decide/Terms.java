package io.sluice.analyzer.decide;

import io.sluice.contract.lock.Mode;
import io.sluice.contract.policy.LockRule;

/**
 * What a policy says about a lock of one subject. It may change while the lock lasts.
 *
 * @param rate requests a second for {@link Mode#THROTTLE}, else 0
 * @param shadow whether the lock only reports
 * @param forMillis how long a lock is meant to last
 * @param release the part of the threshold under which demand opens the gate early
 */
record Terms(Mode mode, double rate, boolean shadow, long forMillis, double release) {

    static Terms of(LockRule rule, boolean enforce) {
        return new Terms(
                rule.mode(),
                rule.mode() == Mode.THROTTLE ? rule.rate() : 0,
                rule.shadow() || rule.mode() == Mode.SHADOW || !enforce,
                rule.forMillis(),
                rule.release());
    }
}
