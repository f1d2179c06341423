package io.sluice.analyzer.decide;

import io.sluice.analyzer.detect.Threshold;
import io.sluice.contract.usage.UsageKey;

/** What locked subjects would use if they were let. */
@FunctionalInterface
interface Demand {

    /** Demand as a part of the threshold that fired, NaN when nothing can be said. */
    double of(UsageKey key, Threshold threshold);

    /** Nothing can be said about anybody. */
    Demand UNKNOWN = (key, threshold) -> Double.NaN;
}
