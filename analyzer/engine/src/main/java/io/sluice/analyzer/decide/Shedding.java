package io.sluice.analyzer.decide;

import io.sluice.analyzer.detect.Finding;
import io.sluice.analyzer.detect.Threshold;
import io.sluice.contract.lock.Mode;

/** Which part of the requests to reject so that the rest is as much as the threshold allows. */
final class Shedding {
    /** A ratio that moved by less is not published: every wave of demand would become a record. */
    private static final double STEP = 0.05;

    private static final double ROUNDING = 1e-9;

    private Shedding() {}

    /** The ratio at this demand, a part of the threshold: from 0, for no more than the threshold, to 1. */
    static double ratio(double demand) {
        return demand <= 1 ? 0 : 1 - 1 / demand;
    }

    /** The ratio for a lock that opens: what was admitted then is what was demanded. */
    static double ratio(Finding finding, Terms terms) {
        return terms.mode() == Mode.SHED ? ratio(finding.threshold(), finding.observed(), finding.sum()) : 0;
    }

    /**
     * The same, by what was seen when the lock opened.
     *
     * @param observed in the unit of the threshold, which decided
     * @param sum the subject's admitted sum, in the measure's unit
     */
    static double ratio(Threshold threshold, double observed, double sum) {
        Threshold shed = threshold.shed();
        boolean above = shed.detector().equals(Threshold.ABOVE);
        return ratio((above ? sum : observed) / shed.value());
    }

    static boolean moved(double from, double to) {
        return Math.abs(to - from) >= STEP - ROUNDING;
    }
}
