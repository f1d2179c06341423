package io.sluice.contract.policy;

/**
 * A sliding window made of equal panes, aligned to the epoch.
 *
 * @param millis the window's length, a whole multiple of {@code panes}
 * @param panes 4 to 600
 */
public record Window(long millis, int panes) {
    public Window {
        if (panes < 1 || millis < panes || millis % panes != 0) {
            throw new IllegalArgumentException("window of " + millis + " ms can't be cut into " + panes + " panes");
        }
    }

    /** The length of a pane in milliseconds. */
    public long paneMillis() {
        return millis / panes;
    }

    /** The number of the pane that an event at {@code time} falls into. */
    public long paneOf(long time) {
        return Math.floorDiv(time, paneMillis());
    }
}
