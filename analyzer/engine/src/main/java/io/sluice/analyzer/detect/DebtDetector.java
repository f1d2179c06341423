package io.sluice.analyzer.detect;

import io.sluice.analyzer.history.Debt;
import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.LockRule;
import io.sluice.contract.policy.Policy;
import org.jspecify.annotations.Nullable;

/** Detects subjects whose {@link Debt} is above a threshold. Opens locks that last until the debt is paid. */
final class DebtDetector implements Detector {
    final double threshold;
    final Debt.Drain drain;

    /** Of several thresholds only the smallest counts: it is passed first. */
    DebtDetector(LockRule rule, Policy policy) {
        threshold = rule.when().stream().mapToDouble(Condition::absolute).min().orElse(0);
        drain = new Debt.Drain(
                policy.window().paneMillis(), threshold / policy.window().millis());
    }

    @Override
    public @Nullable Over ask(Subject subject, long pane) {
        long newest = subject.window().newestTime();
        if (pane != subject.shape().window().paneOf(newest)) {
            return null;
        }
        double level = subject.memory().debt(this, subject.key(), newest);
        if (level <= threshold) {
            return null;
        }
        return new Over(Threshold.of(Threshold.DEBT, threshold, threshold, subject.meanCost(pane)), level, 0);
    }
}
