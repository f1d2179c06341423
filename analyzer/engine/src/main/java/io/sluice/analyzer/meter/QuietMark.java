package io.sluice.analyzer.meter;

import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Measure;
import io.sluice.contract.policy.Policy;
import org.jspecify.annotations.Nullable;

/** The sum within a window below which a subject is quiet, so that a meter holds it back. See docs/accuracy.md. */
public final class QuietMark {
    /** A subject is quiet below this part of its threshold, for each meter that can count its requests. */
    private static final int PARTS = 2;

    /** Distinct values of a quiet subject are held one by one. */
    private static final int MOST_VALUES = 64;

    private QuietMark() {}

    /** Returns whether the conditions of a policy can do without what quiet subjects make. Baselines, debts and service times cannot. */
    public static boolean allowed(Policy policy) {
        return policy.locks() && policy.lockRules().stream().allMatch(LockRule::ignoresSmallSums);
    }

    /**
     * Returns the mark of a subject, in the unit of the sums that meters keep.
     *
     * @param rule of the subject; {@code null} for none
     * @param meters that can count its requests
     */
    static long of(Policy policy, @Nullable LockRule rule, int meters) {
        double threshold = rule == null ? Double.POSITIVE_INFINITY : rule.smallestThreshold();
        long mark = (long) (threshold * policy.measure().scale() / (PARTS * (double) meters));
        return policy.measure() instanceof Measure.Distinct ? Math.min(mark, MOST_VALUES) : mark;
    }

    /**
     * Returns the mark of a subject without an override, in the unit of the measure.
     *
     * @param meters that can count its requests
     */
    public static double of(Policy policy, int meters) {
        return of(policy, policy.lock(), meters) / (double) policy.measure().scale();
    }
}
