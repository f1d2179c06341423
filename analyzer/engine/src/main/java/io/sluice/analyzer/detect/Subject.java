package io.sluice.analyzer.detect;

import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.window.HotWindow;
import io.sluice.analyzer.window.Shape;
import io.sluice.contract.usage.UsageKey;

/** A subject as detectors see it: its window, what is remembered of it, and the loads it is part of. */
record Subject(
        UsageKey key,
        DetectedPolicy policy,
        DetectedPolicy.DetectedRule rule,
        HotWindow window,
        DetectorState memory,
        LoadBook loads) {

    Shape shape() {
        return policy.shape;
    }

    /** How many of the measure's smallest unit make one of the policy file's. */
    double scale() {
        return policy.scale;
    }

    /** Returns the mean cost of a request in the window that ends with this pane, in the smallest unit. */
    double meanCost(long pane) {
        return (double) window.admitted(pane) / Math.max(1, window.admittedCount(pane));
    }

    Finding finding(Detector.Over over, long pane) {
        return new Finding(
                key(),
                policy.policy,
                rule.rule,
                over.threshold(),
                over.observed(),
                window.admitted(pane) / scale(),
                over.load() / scale(),
                window.newestUpTo(pane));
    }
}
