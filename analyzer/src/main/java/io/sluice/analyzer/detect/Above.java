package io.sluice.analyzer.detect;

import io.sluice.analyzer.window.HotWindow;
import java.util.List;

/**
 * Over when the admitted sum of a window is greater than a number. The window is made of the panes wholly inside it and
 * the one of its newest event, so its sum is never above the exact one.
 */
final class Above {
    private final double threshold;

    Above(double threshold) {
        this.threshold = threshold;
    }

    /** Asks at the pane where something was added, and at every later one that it may have pushed over. */
    boolean ask(
            DetectedPolicy policy,
            DetectedPolicy.DetectedRule rule,
            HotWindow window,
            long from,
            long now,
            FindingSink sink) {
        for (long pane = window.paneFrom(from); pane != Long.MAX_VALUE; pane = window.paneFrom(pane + 1)) {
            long sum = window.admitted(pane);
            if (sum > threshold * policy.scale) {
                Threshold fired = new Threshold(
                        Threshold.ABOVE, threshold, threshold, null, policy.meanCost(window, pane), List.of());
                if (sink.finding(policy.finding(window, rule, fired, sum / policy.scale, 0, pane), now)) {
                    return true;
                }
            }
        }
        return false;
    }
}
