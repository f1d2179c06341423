package io.sluice.analyzer.exact;

import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Measure;
import io.sluice.contract.policy.Policy;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

/** Builds the detectors of one subject from its rule. */
final class Detectors {
    private final Policy policy;
    private final LockRule rule;
    private final ExactGroups groups;
    private final List<String> subject;
    private final LongPredicate locked;
    private final LongUnaryOperator uncountedUntil;

    private Detectors(
            Policy policy,
            LockRule rule,
            ExactGroups groups,
            List<String> subject,
            LongPredicate locked,
            LongUnaryOperator uncountedUntil) {
        this.policy = policy;
        this.rule = rule;
        this.groups = groups;
        this.subject = subject;
        this.locked = locked;
        this.uncountedUntil = uncountedUntil;
    }

    /**
     * @param locked whether the subject was locked at a time
     * @param uncountedUntil the latest time up to a time until which the subject may have been allowed, {@link Long#MIN_VALUE} for none
     */
    static List<ExactDetector> of(
            Policy policy,
            LockRule rule,
            ExactGroups groups,
            List<String> subject,
            LongPredicate locked,
            LongUnaryOperator uncountedUntil) {
        Detectors detectors = new Detectors(policy, rule, groups, subject, locked, uncountedUntil);
        return rule.when().stream().map(detectors::of).toList();
    }

    static ExactSum sum(Measure measure) {
        return measure instanceof Measure.Distinct ? ExactSum.ofDistinct() : ExactSum.of(Counted::amount);
    }

    private ExactDetector of(Condition condition) {
        long window = policy.window().millis();
        long scale = policy.measure().scale();
        if (condition instanceof Condition.Above above) {
            return rule.debt() ? new ExactDebt(above.threshold(), window) : new ExactAbove(above.threshold(), scale);
        }
        if (condition instanceof Condition.Share share) {
            ExactServiceTimes own = share.whenOthersSlow() > 0 ? new ExactServiceTimes(window) : null;
            return new ExactShare(share, groups.of(share.of(), subject), scale, own);
        }
        if (condition instanceof Condition.Spike spike) {
            ExactBaseline baseline = new ExactBaseline(
                    window, spike.baselineMillis(), () -> sum(policy.measure()), locked, uncountedUntil);
            return new ExactSpike(spike, baseline, scale);
        }
        if (condition instanceof Condition.All all) {
            return new ExactAll(all.conditions().stream().map(this::of).toList());
        }
        throw new IllegalArgumentException("policy " + policy.name() + ": unknown condition " + condition);
    }
}
