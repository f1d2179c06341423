package io.sluice.contract.lock;

/**
 * Why a lock was opened.
 *
 * @param detector {@code above}, {@code share} or {@code spike}
 * @param observed what was seen, in the detector's unit (a sum, a share, a factor)
 * @param threshold what was allowed, in the same unit
 * @param measure the policy's measure, such as {@code requests}
 * @param windowMillis the length of the window
 * @param sum the subject's admitted sum in that window, in the measure's unit
 * @param load the total of the subject's group, 0 where no load was looked at
 * @param crossed time of the newest event counted when the threshold was passed, epoch milliseconds
 * @param decided broker time of the decision, epoch milliseconds
 * @param revision the policy's revision
 */
public record Evidence(
        String detector,
        double observed,
        double threshold,
        String measure,
        long windowMillis,
        double sum,
        double load,
        long crossed,
        long decided,
        String revision) {
    /** @throws IllegalArgumentException when a number is negative or not finite */
    public Evidence {
        for (double number : new double[] {observed, threshold, sum, load}) {
            if (!Double.isFinite(number) || number < 0) {
                throw new IllegalArgumentException("observed, threshold, sum and load must be numbers of 0 or more");
            }
        }
        if (windowMillis < 0 || crossed < 0 || decided < 0) {
            throw new IllegalArgumentException("windowMillis, crossed and decided must be 0 or more");
        }
    }
}
