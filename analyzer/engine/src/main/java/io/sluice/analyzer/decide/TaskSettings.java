package io.sluice.analyzer.decide;

import io.sluice.analyzer.window.Windows;

/**
 * What a decide task has to know of its surroundings. Times in milliseconds.
 *
 * @param task the partition of usage and of gate locks
 * @param partitions how many of those there are
 * @param meters how many partitions the requests topic has
 * @param lateness how late an event may be appended
 * @param skew how far a source's clock may run ahead of the broker's
 * @param backlog nothing opens on events older than this
 * @param maxLease the longest lease of a record
 * @param hotWindows how many windows are held in heap
 */
public record TaskSettings(
        int task, int partitions, int meters, long lateness, long skew, long backlog, long maxLease, int hotWindows) {
    private static final int MOST_HOT = 1_000_000;
    private static final int LEAST_HOT = 1_000;

    /** @throws IllegalArgumentException when a number is out of its range */
    public TaskSettings {
        if (task < 0 || task >= partitions || meters < 1 || lateness < 0 || skew < 0 || backlog < 1 || maxLease < 3) {
            throw new IllegalArgumentException("not the settings of a task: task " + task + " of " + partitions
                    + ", meters " + meters + ", lateness " + lateness + ", skew " + skew + ", backlog " + backlog
                    + ", max lease " + maxLease);
        }
    }

    /** With the defaults. */
    public static TaskSettings of(int task, int partitions, int meters) {
        return new TaskSettings(task, partitions, meters, 60_000, 5_000, 30_000, 600_000, MOST_HOT);
    }

    /**
     * How many windows a task may hold, when all tasks meet in one process and a third of its heap is for them: callers who come once fill
     * whatever they are given.
     *
     * @param heapBytes the most that the heap may take
     */
    public static int hotWindows(long heapBytes, int partitions) {
        return (int) Math.max(LEAST_HOT, Math.min(MOST_HOT, heapBytes / 3 / Windows.USUAL_BYTES / partitions));
    }
}
