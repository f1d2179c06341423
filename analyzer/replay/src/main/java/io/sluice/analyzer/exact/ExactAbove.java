package io.sluice.analyzer.exact;

import io.sluice.analyzer.exact.ExactOracle.Reading;

/** Over when the sum of the window is greater than a number. */
record ExactAbove(double threshold, long scale) implements ExactDetector {
    @Override
    public Reading ask(SlidingLog own, long time) {
        double sum = (double) own.amount() / scale;
        return new Reading("above", sum, threshold, sum, 0, own.amount() > threshold * scale);
    }
}
