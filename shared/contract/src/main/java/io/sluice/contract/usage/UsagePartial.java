package io.sluice.contract.usage;

/**
 * A partial sum for one (policy, subject, pane), or for one (policy, group, pane) when it is part of a load.
 *
 * @param load whether the key names a group instead of a subject
 * @param pane the pane's number: its start divided by the pane's length
 * @param admitted the admitted sum, in the measure's smallest whole unit (requests, bytes, microseconds)
 * @param admittedCount how many requests were admitted
 * @param rejectedCount how many requests were rejected
 * @param firstTime event time of the oldest event counted, epoch milliseconds
 * @param newestTime event time of the newest event counted, epoch milliseconds
 */
public record UsagePartial(
        boolean load,
        long pane,
        long admitted,
        long admittedCount,
        long rejectedCount,
        long firstTime,
        long newestTime,
        Origin origin,
        long seq)
        implements UsageRecord {
    /** @throws IllegalArgumentException when a number is negative, or the first time after the newest */
    public UsagePartial {
        if ((pane | admitted | admittedCount | rejectedCount | firstTime | seq) < 0) {
            throw new IllegalArgumentException("pane, sums, counts, times and seq must be 0 or more");
        }
        if (firstTime > newestTime) {
            throw new IllegalArgumentException("firstTime must not be after newestTime");
        }
    }
}
