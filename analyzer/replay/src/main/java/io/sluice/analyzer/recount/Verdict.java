package io.sluice.analyzer.recount;

/**
 * Result of the exact method for a lock's evidence.
 *
 * @param holds whether the subject was over by the exact method too, when it crossed the threshold or, for a detector
 *     that compares whole panes, at most a pane before
 * @param observed what the exact method saw at that moment, in the evidence's unit
 * @param sum the subject's exact sum, in the measure's unit
 * @param load its group's exact load, 0 where none was looked at
 * @param excess by how much the evidence's sum is above the exact one, 0 when it isn't
 * @param complete false when some of the log is gone, so that the sum is the least there can have been
 * @param believed what of the evidence was taken as it is
 * @param from event time from which on requests were counted, exclusive, epoch milliseconds
 */
public record Verdict(
        boolean holds,
        double observed,
        double sum,
        double load,
        double excess,
        boolean complete,
        Believed believed,
        long from) {

    /** What reaches too far back to be counted again. */
    public enum Believed {
        NOTHING,
        /** The subject's own baseline. */
        BASELINE,
        /** That the others were served more slowly than usual. */
        SLOWNESS
    }
}
