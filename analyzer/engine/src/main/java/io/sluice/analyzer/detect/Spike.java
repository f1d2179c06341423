package io.sluice.analyzer.detect;

import io.sluice.analyzer.history.Baseline;
import io.sluice.contract.policy.Condition;
import io.sluice.contract.policy.Policy;
import org.jspecify.annotations.Nullable;

/**
 * Over when the admitted sum of a window is greater than some times what is usual for the subject, and than a floor. What
 * is usual is the subject's own {@link Baseline}; a subject that is not known for long has none, and is never over.
 */
final class Spike implements Detector {
    // a mean of equal sums may come out a little smaller than they are: that makes no sum a spike
    private static final double ROUNDING = 1e-9;

    final Condition.Spike condition;
    final Baseline.Span span;

    Spike(Condition.Spike condition, Policy policy) {
        this.condition = condition;
        span = Baseline.Span.of(condition.baselineMillis(), policy.window().millis());
    }

    @Override
    public @Nullable Over ask(Subject subject, long pane) {
        long sum = subject.window().admitted(pane);
        double floor = condition.floor() * subject.scale();
        if (sum <= floor) {
            return null;
        }
        long time = pane * subject.shape().window().paneMillis();
        Double usual = subject.memory().usual(this, subject.key(), time);
        if (usual == null) {
            return null;
        }
        double most = most(usual, subject.scale());
        if (sum <= most) {
            return null;
        }
        return new Over(
                Threshold.of(Threshold.SPIKE, condition.factor(), most / subject.scale(), subject.meanCost(pane)),
                sum / least(usual, subject.scale()),
                0);
    }

    /** Returns the usual sum, as if it were never so small that the floor would not be what decides; in the measure's smallest unit. */
    double least(double usual, double scale) {
        return Math.max(Math.max(usual, condition.floor() * scale / condition.factor()), 1 / condition.factor());
    }

    /** Returns the sum of a window that may not be exceeded, in the measure's smallest unit. */
    double most(double usual, double scale) {
        return condition.factor() * least(usual, scale) * (1 + ROUNDING);
    }
}
