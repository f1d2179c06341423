package io.sluice.contract.usage;

import org.jspecify.annotations.Nullable;

/**
 * The total over all subjects of a group, pane by pane: the denominator of a share.
 *
 * @param firstPane number of the pane at index 0 of the arrays
 * @param admitted admitted sum of each pane, in the measure's smallest whole unit
 * @param admittedCount admitted requests of each pane
 * @param rejectedCount rejected requests of each pane
 * @param since event time of the first event the group ever counted, epoch milliseconds
 * @param asOf the least position all meters have read up to, append time in epoch milliseconds
 * @param service how long the group's requests take, where a policy asks; else {@code null}
 */
@SuppressWarnings("ArrayRecordComponent") // handed over, never shared: a copy a record would cost the hot path
public record Load(
        long firstPane,
        long[] admitted,
        long[] admittedCount,
        long[] rejectedCount,
        long since,
        long asOf,
        @Nullable Service service) {

    /**
     * How long admitted requests take, and used to.
     *
     * @param micros service time of each pane
     * @param baselineMicros service time of a usual window, not corrected for a short past
     * @param baselineCount requests of a usual window, weighted likewise; 0 while too little is known
     */
    public record Service(long[] micros, double baselineMicros, double baselineCount) {
        public Service {
            if (!Double.isFinite(baselineMicros)
                    || !Double.isFinite(baselineCount)
                    || baselineMicros < 0
                    || baselineCount < 0) {
                throw new IllegalArgumentException("a baseline must be a number of 0 or more");
            }
        }
    }

    /** @throws IllegalArgumentException when the arrays differ in length or a number is negative */
    public Load {
        if (admittedCount.length != admitted.length || rejectedCount.length != admitted.length) {
            throw new IllegalArgumentException("admitted, admittedCount and rejectedCount must be of one length");
        }
        if (firstPane < 0 || since < 0 || asOf < 0) {
            throw new IllegalArgumentException("firstPane, since and asOf must be 0 or more");
        }
        if (service != null && service.micros.length != admitted.length) {
            throw new IllegalArgumentException("micros must be as long as admitted");
        }
    }

    /** One without service times, as most are. */
    public Load(long firstPane, long[] admitted, long[] admittedCount, long[] rejectedCount, long since, long asOf) {
        this(firstPane, admitted, admittedCount, rejectedCount, since, asOf, null);
    }

    /** How many panes it covers. */
    public int panes() {
        return admitted.length;
    }
}
