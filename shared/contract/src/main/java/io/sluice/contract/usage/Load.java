package io.sluice.contract.usage;

/**
 * The total over all subjects of a group, pane by pane: the denominator of a share.
 *
 * @param firstPane number of the pane at index 0 of the arrays
 * @param admitted admitted sum of each pane, in the measure's smallest whole unit
 * @param admittedCount admitted requests of each pane
 * @param rejectedCount rejected requests of each pane
 * @param since event time of the first event the group ever counted, epoch milliseconds
 * @param asOf the least position all meters have read up to, append time in epoch milliseconds
 */
@SuppressWarnings("ArrayRecordComponent") // handed over, never shared: a copy a record would cost the hot path
public record Load(long firstPane, long[] admitted, long[] admittedCount, long[] rejectedCount, long since, long asOf) {
    /** @throws IllegalArgumentException when the arrays differ in length or a number is negative */
    public Load {
        if (admittedCount.length != admitted.length || rejectedCount.length != admitted.length) {
            throw new IllegalArgumentException("admitted, admittedCount and rejectedCount must be of one length");
        }
        if (firstPane < 0 || since < 0 || asOf < 0) {
            throw new IllegalArgumentException("firstPane, since and asOf must be 0 or more");
        }
    }

    /** How many panes it covers. */
    public int panes() {
        return admitted.length;
    }
}
