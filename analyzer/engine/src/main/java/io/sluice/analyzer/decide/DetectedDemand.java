package io.sluice.analyzer.decide;

import io.sluice.analyzer.detect.Detection;
import io.sluice.analyzer.detect.Threshold;
import io.sluice.contract.usage.UsageKey;

/**
 * Demand as detection sees it.
 *
 * @param asOf up to when all meters have read, epoch milliseconds
 * @param now broker time
 */
record DetectedDemand(Detection detection, long asOf, long now) implements Demand {

    @Override
    public double of(UsageKey key, Threshold threshold) {
        return detection.demand(key, threshold, asOf);
    }

    @Override
    public double onItsWay(UsageKey key, Threshold threshold) {
        return detection.demandOnItsWay(key, threshold, asOf);
    }

    @Override
    public double excess(UsageKey key, Threshold threshold) {
        return detection.excess(key, threshold, asOf);
    }

    @Override
    public double debt(UsageKey key) {
        return detection.debt(key, now);
    }
}
