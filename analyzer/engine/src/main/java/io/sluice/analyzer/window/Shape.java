package io.sluice.analyzer.window;

import io.sluice.contract.policy.Measure;
import io.sluice.contract.policy.Policy;
import io.sluice.contract.policy.Window;

/**
 * How a sliding window is stored: as blocks of consecutive panes. A block of amounts is at least as long as the window, so no
 * window touches more than two, and longer by the lateness (up to a limit), so that neither does a late event together with
 * the panes it may still push over. A block of distinct values holds at most {@value #MOST_DISTINCT_PANES} panes, because
 * each pane takes up to 4 KiB: a full block is below 850 KB, and a changelog's record may have 1 MiB.
 *
 * @param latePanes how many panes behind the newest a partial may come
 * @param blockPanes panes in a block
 * @param distinct whether distinct values are counted instead of amounts
 */
public record Shape(Window window, long latePanes, int blockPanes, Retention retention, boolean distinct) {
    // a block is written as a whole: tiny panes must not make it huge
    private static final int MOST_LATE_PANES = 600;
    /** The most panes of a block of distinct values. */
    static final int MOST_DISTINCT_PANES = 200;

    /** @param slackMillis how late an event may come and how far ahead of the broker's clock */
    public static Shape of(Policy policy, long slackMillis) {
        return of(policy.window(), slackMillis, policy.measure() instanceof Measure.Distinct);
    }

    /** The shape of a window of amounts. */
    static Shape of(Window window, long slackMillis) {
        return of(window, slackMillis, false);
    }

    static Shape of(Window window, long slackMillis, boolean distinct) {
        long late = -Math.floorDiv(-slackMillis, window.paneMillis());
        int whole = window.panes() + (int) Math.min(late, Math.max(window.panes(), MOST_LATE_PANES));
        int blockPanes = distinct ? Math.min(whole, MOST_DISTINCT_PANES) : whole;
        // the oldest block that a late event's window touches starts this long before the newest event
        long needed = slackMillis + window.millis() + blockPanes * window.paneMillis();
        return new Shape(window, late, blockPanes, Retention.covering(needed), distinct);
    }

    /** How many panes make the window. */
    public int panes() {
        return window.panes();
    }

    /** The first pane of a window that ends with this one. */
    public long firstPane(long lastPane) {
        return lastPane - window.panes() + 1;
    }

    /** Returns whether the store keeps the window before one that ends now, too. */
    public boolean keepsEarlier() {
        return (latePanes + 2L * window.panes() + blockPanes) * window.paneMillis() <= retention.millis();
    }

    long block(long pane) {
        return Math.floorDiv(pane, (long) blockPanes);
    }

    long firstPaneOfBlock(long block) {
        return block * blockPanes;
    }

    long blockStart(long block) {
        return firstPaneOfBlock(block) * window.paneMillis();
    }
}
