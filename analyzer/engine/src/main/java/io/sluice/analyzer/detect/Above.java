package io.sluice.analyzer.detect;

import org.jspecify.annotations.Nullable;

/**
 * Over when the admitted sum of a window is greater than a number. The window is made of the panes wholly inside it and
 * the one of its newest event, so its sum is never above the exact one.
 */
record Above(double threshold) implements Detector {

    @Override
    public @Nullable Over ask(Subject subject, long pane) {
        long sum = subject.window().admitted(pane);
        if (sum <= threshold * subject.scale()) {
            return null;
        }
        return new Over(
                Threshold.of(Threshold.ABOVE, threshold, threshold, subject.meanCost(pane)), sum / subject.scale(), 0);
    }
}
