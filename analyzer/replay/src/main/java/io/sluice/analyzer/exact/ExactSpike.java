package io.sluice.analyzer.exact;

import io.sluice.analyzer.exact.ExactOracle.Reading;
import io.sluice.contract.policy.Condition;

/** Over when the sum is greater than a multiple of the subject's own baseline, and than a floor. */
final class ExactSpike implements ExactDetector {
    private final Condition.Spike condition;
    private final ExactBaseline baseline;
    private final long scale;

    ExactSpike(Condition.Spike condition, ExactBaseline baseline, long scale) {
        this.condition = condition;
        this.baseline = baseline;
        this.scale = scale;
    }

    @Override
    public void add(Counted event) {
        baseline.add(event);
    }

    @Override
    public Reading ask(SlidingLog own, long time) {
        double sum = (double) own.amount() / scale;
        if (!baseline.at(time).known()) {
            return new Reading("spike", 0, condition.factor(), sum, 0, false);
        }
        double mean = baseline.mean() / scale;
        double usual = Math.max(mean, condition.floor() / condition.factor());
        double observed = sum == 0 ? 0 : sum / usual;
        boolean over = sum > Math.max(condition.factor() * mean, condition.floor());
        return new Reading("spike", observed, condition.factor(), sum, 0, over);
    }
}
