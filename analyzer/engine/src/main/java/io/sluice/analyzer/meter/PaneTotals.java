package io.sluice.analyzer.meter;

import java.util.Arrays;

/** Sums of all amounts within the newest window, pane by pane. Not thread-safe. */
final class PaneTotals {
    private final int count;
    private final int width;
    private final long[] panes;
    private final long[] sums;
    private long newest = Long.MIN_VALUE;
    /** Where the sums of the newest pane are: most events belong to it, and a division takes longer than all the rest. */
    private int newestAt;

    /**
     * @param panes panes of the window
     * @param amounts how many sums there are
     */
    PaneTotals(int panes, int amounts) {
        count = panes;
        width = amounts;
        this.panes = new long[panes * amounts];
        sums = new long[amounts];
    }

    /** Adds to each sum; what belongs to a pane that has left the window is ignored. */
    void add(long pane, long[] amounts) {
        if (pane > newest) {
            moveTo(pane);
        }
        if (pane > newest - count) {
            int at = pane == newest ? newestAt : at(pane);
            for (int i = 0; i < width; i++) {
                panes[at + i] += amounts[i];
                sums[i] += amounts[i];
            }
        }
    }

    private int at(long pane) {
        return (int) Math.floorMod(pane, (long) count) * width;
    }

    private void moveTo(long pane) {
        if (newest == Long.MIN_VALUE || pane - newest >= count) {
            Arrays.fill(panes, 0);
            Arrays.fill(sums, 0);
        } else {
            for (long gone = newest + 1; gone <= pane; gone++) {
                int at = at(gone);
                for (int i = 0; i < width; i++) {
                    sums[i] -= panes[at + i];
                    panes[at + i] = 0;
                }
            }
        }
        newest = pane;
        newestAt = at(pane);
    }

    /** Newest pane that something was added to, {@link Long#MIN_VALUE} before. */
    long newest() {
        return newest;
    }

    /** Sum of the window that ends with the newest pane. May wrap around with amounts near the greatest long. */
    long sum(int amount) {
        return sums[amount];
    }
}
