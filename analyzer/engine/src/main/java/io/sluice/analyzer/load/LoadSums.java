package io.sluice.analyzer.load;

import io.sluice.analyzer.window.Sums;
import io.sluice.contract.usage.Load;

/** Sums over panes of a load. */
public final class LoadSums {
    private LoadSums() {}

    /** The admitted sum of these panes. */
    public static long admitted(Load load, long firstPane, long lastPane) {
        return sum(load.admitted(), load.firstPane(), firstPane, lastPane);
    }

    /** How many requests were admitted in these panes. */
    public static long admittedCount(Load load, long firstPane, long lastPane) {
        return sum(load.admittedCount(), load.firstPane(), firstPane, lastPane);
    }

    /** How many requests were rejected in these panes. */
    public static long rejectedCount(Load load, long firstPane, long lastPane) {
        return sum(load.rejectedCount(), load.firstPane(), firstPane, lastPane);
    }

    /** Service time of what was admitted in these panes, in microseconds; 0 where it is not kept. */
    public static long micros(Load load, long firstPane, long lastPane) {
        Load.Service service = load.service();
        return service == null ? 0 : sum(service.micros(), load.firstPane(), firstPane, lastPane);
    }

    private static long sum(long[] panes, long start, long firstPane, long lastPane) {
        long sum = 0;
        long end = Math.min(lastPane - start, panes.length - 1L);
        for (long i = Math.max(0, firstPane - start); i <= end; i++) {
            sum = Sums.plus(sum, panes[(int) i]);
        }
        return sum;
    }
}
