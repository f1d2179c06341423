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
 * @param micros service time of the admitted requests, where a policy asks for it beside its measure; else 0
 * @param values the different values that were admitted, where a policy counts these; else {@link Values#NONE}
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
        long seq,
        long micros,
        Values values)
        implements UsageRecord {
    /** @throws IllegalArgumentException when a number is negative, or the first time after the newest */
    public UsagePartial {
        if ((pane | admitted | admittedCount | rejectedCount | firstTime | seq | micros) < 0) {
            throw new IllegalArgumentException("pane, sums, counts, times and seq must be 0 or more");
        }
        if (firstTime > newestTime) {
            throw new IllegalArgumentException("firstTime must not be after newestTime");
        }
        if (!values.none() && (load || micros > 0)) {
            throw new IllegalArgumentException("values stand alone: not with a load or service time");
        }
    }

    /** One without service time and values, as most are. */
    public UsagePartial(
            boolean load,
            long pane,
            long admitted,
            long admittedCount,
            long rejectedCount,
            long firstTime,
            long newestTime,
            Origin origin,
            long seq) {
        this(load, pane, admitted, admittedCount, rejectedCount, firstTime, newestTime, origin, seq, 0, Values.NONE);
    }
}
