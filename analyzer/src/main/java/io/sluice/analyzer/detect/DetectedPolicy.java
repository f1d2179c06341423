package io.sluice.analyzer.detect;

import io.sluice.analyzer.load.Group;
import io.sluice.analyzer.window.HotWindow;
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
        shape = Shape.of(policy.window(), slackMillis);
        scale = policy.measure().scale();
        Group.rules(policy).forEach(rule -> rules.put(rule, new DetectedRule(policy, rule)));
    }

    /** The rule that holds for a subject, if any. */
    @Nullable
    DetectedRule ruleFor(List<String> subject) {
        LockRule rule = policy.lockFor(subject);
        return rule == null ? null : rules.get(rule);
    }

    Finding finding(HotWindow window, DetectedRule from, Threshold threshold, double observed, long load, long pane) {
        return new Finding(
                window.key(),
                policy,
                from.rule,
                threshold,
                observed,
                window.admitted(pane) / scale,
                load / scale,
                window.newestUpTo(pane));
    }

    /** What a request of the subject's cost on the mean in the window that ends with this pane, in the smallest unit. */
    double meanCost(HotWindow window, long pane) {
        return (double) window.admitted(pane) / Math.max(1, window.admittedCount(pane));
    }

    /** A lock rule and what tells when it holds. */
    static final class DetectedRule {
        final LockRule rule;
        final List<Above> aboves = new ArrayList<>();
        final List<Share> shares = new ArrayList<>();

        private DetectedRule(Policy policy, LockRule rule) {
            this.rule = rule;
            for (Condition condition : rule.when()) {
                if (condition instanceof Condition.Above above) {
                    aboves.add(new Above(above.threshold()));
                } else if (condition instanceof Condition.Share share) {
                    shares.add(new Share(share, Group.of(policy, share.of())));
                } else {
                    throw new IllegalArgumentException(
                            "policy " + policy.name() + ": condition " + condition + " is not supported yet");
                }
            }
        }
    }
}
