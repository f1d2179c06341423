package io.sluice.analyzer.exact;

import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Measure;
import io.sluice.contract.policy.Policy;
import java.util.List;
import java.util.function.LongPredicate;

/** Builds the detectors of one subject from its rule. */
final class Detectors {
    private final Policy policy;
    private final LockRule rule;
    private final ExactGroups groups;
    private final List<String> subject;
    private final LongPredicate locked;

    private Detectors(Policy policy, LockRule rule, ExactGroups groups, List<String> subject, LongPredicate locked) {
        this.policy = policy;
        this.rule = rule;
        this.groups = groups;
        this.subject = subject;
        this.locked = locked;
    }

    /** @param locked whether the subject was locked at a time */
    static List<Detector> of(
            Policy policy, LockRule rule, ExactGroups groups, List<String> subject, LongPredicate locked) {
        Detectors detectors = new Detectors(policy, rule, groups, subject, locked);
        return rule.when().stream().map(detectors::of).toList();
    }

    static Sum sum(Measure measure) {
        return measure instanceof Measure.Distinct ? Sum.ofDistinct() : Sum.of(Counted::amount);
    }

    private Detector of(Condition condition) {
        long window = policy.window().millis();
        long scale = policy.measure().scale();
        if (condition instanceof Condition.Above above) {
            return rule.debt() ? new Debt(above.threshold(), window) : new Above(above.threshold(), scale);
        }
        if (condition instanceof Condition.Share share) {
            ServiceTimes own = share.whenOthersSlow() > 0 ? new ServiceTimes(window) : null;
            return new Share(share, groups.of(share.of(), subject), scale, own);
        }
        if (condition instanceof Condition.Spike spike) {
            Baseline baseline = new Baseline(window, spike.baselineMillis(), () -> sum(policy.measure()), locked);
            return new Spike(spike, baseline, scale);
        }
        if (condition instanceof Condition.All all) {
            return new All(all.conditions().stream().map(this::of).toList());
        }
        throw new IllegalArgumentException("policy " + policy.name() + ": unknown condition " + condition);
    }
}
