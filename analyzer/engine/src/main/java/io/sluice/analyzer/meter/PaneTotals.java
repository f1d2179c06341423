package io.sluice.analyzer.meter;

import java.util.Arrays;

/** Sum of all amounts within the newest window, pane by pane. Not thread-safe. */
final class PaneTotals {
    private final long[] panes;
    private long newest = Long.MIN_VALUE;
    private long sum;

    /** @param panes panes of the window */
    PaneTotals(int panes) {
        this.panes = new long[panes];
    }

    /** Adds an amount; one of a pane that has left the window is ignored. */
    void add(long pane, long amount) {
        if (pane > newest) {
            moveTo(pane);
        }
        if (pane > newest - panes.length) {
            int at = (int) Math.floorMod(pane, (long) panes.length);
            panes[at] += amount;
            sum += amount;
        }
    }

    private void moveTo(long pane) {
        if (newest == Long.MIN_VALUE || pane - newest >= panes.length) {
            Arrays.fill(panes, 0);
            sum = 0;
        } else {
            for (long gone = newest + 1; gone <= pane; gone++) {
                int at = (int) Math.floorMod(gone, (long) panes.length);
                sum -= panes[at];
                panes[at] = 0;
            }
        }
        newest = pane;
    }

    /** Newest pane that something was added to, {@link Long#MIN_VALUE} before. */
    long newest() {
        return newest;
    }

    /** Sum of the window that ends with the newest pane. May wrap around with amounts near the greatest long. */
    long sum() {
        return sum;
    }
}
