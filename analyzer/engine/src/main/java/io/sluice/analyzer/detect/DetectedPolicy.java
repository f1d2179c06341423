package io.sluice.analyzer.detect;

import io.sluice.analyzer.history.Baseline;
import io.sluice.analyzer.load.ServiceTimes;
import io.sluice.analyzer.window.Shape;
import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A policy with its detectors built. */
final class DetectedPolicy {
    final Policy policy;
    final Shape shape;
    final double scale;
    private final IdentityHashMap<LockRule, DetectedRule> rules = new IdentityHashMap<>();

    DetectedPolicy(Policy policy, long slackMillis) {
        this.policy = policy;
        shape = Shape.of(policy, slackMillis);
        scale = policy.measure().scale();
        policy.lockRules().forEach(rule -> rules.put(rule, new DetectedRule(policy, rule)));
    }

    /** The rule that holds for a subject, if any. */
    @Nullable
    DetectedRule ruleFor(List<String> subject) {
        LockRule rule = policy.lockFor(subject);
        return rule == null ? null : rules.get(rule);
    }

    /** A lock rule with its detectors and the state that they need. */
    static final class DetectedRule {
        final LockRule rule;
        /** Asked whenever something was added. */
        final List<Detector> prompt = new ArrayList<>();
        /** Asked when a load arrives. */
        final List<Detector> patient = new ArrayList<>();

        final List<Spike> spikes = new ArrayList<>();
        final @Nullable DebtDetector owing;
        final boolean timed;
        final Baseline.Span serviceSpan;

        private DetectedRule(Policy policy, LockRule rule) {
            this.rule = rule;
            timed = rule.when().stream().anyMatch(Condition::timed);
            serviceSpan = ServiceTimes.span(policy);
            owing = rule.debt() ? new DebtDetector(rule, policy) : null;
            if (owing != null) {
                prompt.add(owing);
                return;
            }
            for (Condition condition : rule.when()) {
                Detector detector = detector(policy, condition);
                (detector.shares().isEmpty() ? prompt : patient).add(detector);
            }
        }

        private Detector detector(Policy policy, Condition condition) {
            if (condition instanceof Condition.Above above) {
                return new Above(above.threshold());
            }
            if (condition instanceof Condition.Share share) {
                return new Share(share, policy);
            }
            if (condition instanceof Condition.Spike spike) {
                Spike detector = new Spike(spike, policy);
                spikes.add(detector);
                return detector;
            }
            Condition.All all = (Condition.All) condition;
            return new All(all.conditions().stream()
                    .map(part -> detector(policy, part))
                    .toList());
        }
    }
}
