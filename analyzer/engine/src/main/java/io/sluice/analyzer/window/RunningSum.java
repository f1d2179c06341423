package io.sluice.analyzer.window;

/**
 * The sum of one column over a window, kept as the window moves on: a step adds the panes that come and subtracts those
 * that go, however many there are between. Exact, for it is made of whole numbers; one that was cut off at the largest
 * number there is can't be subtracted from, and is not kept. One thread.
 */
final class RunningSum {
    private static final long NONE = Long.MIN_VALUE;

    private final int column;
    private final int panes;
    private long last = NONE;
    private long sum;

    RunningSum(int column, int panes) {
        this.column = column;
        this.panes = panes;
    }

    /** The sum of the window that ends with this pane. */
    long at(long lastPane, Cells cells) {
        if (last == NONE || sum == Long.MAX_VALUE || Math.abs(lastPane - last) >= panes) {
            sum = cells.sum(column, lastPane - panes + 1, lastPane);
        } else if (lastPane > last) {
            move(cells, last + 1, lastPane, last - panes + 1, lastPane - panes);
        } else if (lastPane < last) {
            move(cells, lastPane - panes + 1, last - panes, lastPane + 1, last);
        }
        last = lastPane;
        return sum;
    }

    private void move(Cells cells, long firstNew, long lastNew, long firstOld, long lastOld) {
        sum = Sums.plus(sum - cells.sum(column, firstOld, lastOld), cells.sum(column, firstNew, lastNew));
    }

    /** This much was added to a pane. */
    void added(long pane, long amount) {
        if (last != NONE && pane <= last && pane > last - panes) {
            sum = Sums.plus(sum, amount);
        }
    }

    /** The panes that are summed. */
    interface Cells {
        /** The sum of a column from one pane to another, both included. */
        long sum(int column, long firstPane, long lastPane);
    }
}
