package io.sluice.analyzer.decide;

/**
 * Settings of a decide task. Times in milliseconds.
 *
 * @param task the partition of usage and of gate locks
 * @param partitions how many of those there are
 * @param meters how many partitions the requests topic has
 * @param callerSpread the most meters that can count requests of one caller
 * @param lateness how late an event may be appended
 * @param skew how far a source's clock may run ahead of the broker's
 * @param backlog nothing opens on events older than this
 * @param maxLease the longest lease of a record
 */
public record TaskSettings(
        int task, int partitions, int meters, int callerSpread, long lateness, long skew, long backlog, long maxLease) {
    /** @throws IllegalArgumentException when a number is out of its range */
    public TaskSettings {
        if (task < 0 || task >= partitions || meters < 1 || lateness < 0 || skew < 0 || backlog < 1 || maxLease < 3) {
            throw new IllegalArgumentException("not the settings of a task: task " + task + " of " + partitions
                    + ", meters " + meters + ", lateness " + lateness + ", skew " + skew + ", backlog " + backlog
                    + ", max lease " + maxLease);
        }
    }

    /** A task whose callers' requests can lie in every partition. */
    public TaskSettings(int task, int partitions, int meters, long lateness, long skew, long backlog, long maxLease) {
        this(task, partitions, meters, meters, lateness, skew, backlog, maxLease);
    }

    /** With the defaults. */
    public static TaskSettings of(int task, int partitions, int meters) {
        return new TaskSettings(task, partitions, meters, 60_000, 5_000, 30_000, 600_000);
    }
}
