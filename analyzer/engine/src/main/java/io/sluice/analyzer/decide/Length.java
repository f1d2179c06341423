package io.sluice.analyzer.decide;

import io.sluice.contract.policy.LockRule;

/**
 * How long a policy's locks are meant to last. Times in milliseconds.
 *
 * @param forMillis a first lock; 0 when {@code debt}
 * @param factor each repeat lasts so many times as long as the one before; 1 when repeats are not longer
 * @param upToMillis the longest lock
 * @param forgetMillis how long after its end a lock is remembered; 0 when it isn't
 * @param debt whether a lock lasts until the debt is paid
 */
record Length(long forMillis, double factor, long upToMillis, long forgetMillis, boolean debt) {

    static Length of(LockRule rule) {
        LockRule.Escalate escalate = rule.escalate();
        if (rule.debt()) {
            return new Length(0, 1, rule.debtUpToMillis(), 0, true);
        }
        return escalate == null
                ? new Length(rule.forMillis(), 1, rule.forMillis(), 0, false)
                : new Length(
                        rule.forMillis(), escalate.factor(), escalate.upToMillis(), escalate.forgetMillis(), false);
    }

    boolean escalates() {
        return forgetMillis > 0;
    }

    /** The length of the n-th lock, n at least 1. */
    long ofLevel(int level) {
        // a power too great is infinite, and the cap still the lesser
        double length = forMillis * Math.pow(factor, level - 1);
        return length < upToMillis ? (long) length : upToMillis;
    }
}
