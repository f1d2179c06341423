package io.sluice.analyzer.detect;

import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.LoadSums;
import io.sluice.analyzer.window.HotWindow;
import io.sluice.analyzer.window.Windows;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;

/**
 * Demand of a subject in the newest window as if nothing had been rejected: the greater of those of two windows. One ends at what all meters have read.
 * One ends at the newest event: positions may lag behind partials, and what is counted already is demand, not silence. It alone would be too small
 * where one of the sources' clocks is ahead, for it leaves out what the others count now.
 */
record Offered(DetectedPolicy policy, HotWindow window, long readUpTo) {
    /** Sources whose events come later than this have most of them ignored, by default. */
    private static final long LATENESS_MILLIS = 60_000;

    static Offered of(DetectedPolicy policy, Windows windows, UsageKey key, long asOf) {
        long readUpTo = policy.shape.window().paneOf(asOf);
        return new Offered(policy, windows.at(key, policy.shape, readUpTo), readUpTo);
    }

    /** As a part of a threshold, and of all that had to be passed with it; NaN when a load is not known. */
    double against(Threshold threshold, LoadBook loads) {
        double known = against(threshold, loads, readUpTo);
        long newest = policy.shape.window().paneOf(window.newestTime());
        return newest > readUpTo ? Math.max(known, against(threshold, loads, newest)) : known;
    }

    /**
     * The same, where the subject is taken to go on for a window after its newest event: further ones may be on their way, from a source with a slow
     * clock or one that sends its log at intervals.
     *
     * @param asOf up to when all meters have read, epoch milliseconds
     */
    double onItsWay(Threshold threshold, LoadBook loads, long asOf) {
        double known = against(threshold, loads);
        long newest = window.newestTime();
        boolean silent = asOf - newest > Math.min(policy.shape.window().millis(), LATENESS_MILLIS);
        return silent
                ? known
                : Math.max(
                        known, against(threshold, loads, policy.shape.window().paneOf(newest)));
    }

    private double against(Threshold threshold, LoadBook loads, long last) {
        double least = againstOne(threshold, loads, last);
        for (Threshold other : threshold.also()) {
            least = Math.min(least, againstOne(other, loads, last));
        }
        return least;
    }

    private double againstOne(Threshold threshold, LoadBook loads, long last) {
        double offered = window.admitted(last) + window.rejectedCount(last) * threshold.meanCost();
        UsageKey group = threshold.group();
        if (offered == 0) {
            return 0;
        }
        if (group == null) {
            return offered / (threshold.sum() * policy.scale);
        }
        Load load = loads.load(group);
        return load == null ? Double.NaN : offered / allowed(threshold, load, last);
    }

    private double allowed(Threshold threshold, Load load, long last) {
        long first = policy.shape.firstPane(last);
        long admitted = LoadSums.admitted(load, first, last);
        long admittedCount = LoadSums.admittedCount(load, first, last);
        double meanCost = admittedCount == 0 ? threshold.meanCost() : (double) admitted / admittedCount;
        double offered = admitted + LoadSums.rejectedCount(load, first, last) * meanCost;
        return threshold.value() * Math.max(offered, Math.max(1, threshold.sum() * policy.scale));
    }
}
