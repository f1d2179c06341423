package io.sluice.analyzer.detect;

import io.sluice.analyzer.load.LoadBook;
import io.sluice.analyzer.load.LoadSums;
import io.sluice.analyzer.window.HotWindow;
import io.sluice.analyzer.window.Windows;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.UsageKey;

/** Demand of a subject in the newest window as if nothing had been rejected. */
record Offered(DetectedPolicy policy, HotWindow window, long last) {

    static Offered of(DetectedPolicy policy, Windows windows, UsageKey key, long asOf) {
        long readUpTo = policy.shape.window().paneOf(asOf);
        HotWindow window = windows.at(key, policy.shape, readUpTo);
        // the meters' positions may lag behind their partials: what is counted already is demand, not silence
        long last = Math.max(readUpTo, policy.shape.window().paneOf(window.newestTime()));
        return new Offered(policy, window, last);
    }

    /** As a part of a threshold, and of all that had to be passed with it; NaN when a load is not known. */
    double against(Threshold threshold, LoadBook loads) {
        double least = againstOne(threshold, loads);
        for (Threshold other : threshold.also()) {
            least = Math.min(least, againstOne(other, loads));
        }
        return least;
    }

    private double againstOne(Threshold threshold, LoadBook loads) {
        double offered = window.admitted(last) + window.rejectedCount(last) * threshold.meanCost();
        UsageKey group = threshold.group();
        if (offered == 0) {
            return 0;
        }
        if (group == null) {
            return offered / (threshold.sum() * policy.scale);
        }
        Load load = loads.load(group);
        return load == null ? Double.NaN : offered / allowed(threshold, load);
    }

    private double allowed(Threshold threshold, Load load) {
        long first = policy.shape.firstPane(last);
        long admitted = LoadSums.admitted(load, first, last);
        long admittedCount = LoadSums.admittedCount(load, first, last);
        double meanCost = admittedCount == 0 ? threshold.meanCost() : (double) admitted / admittedCount;
        double offered = admitted + LoadSums.rejectedCount(load, first, last) * meanCost;
        return threshold.value() * Math.max(offered, Math.max(1, threshold.sum() * policy.scale));
    }
}
