package io.sluice.demo.story;

/**
 * The neighbours' 99th percentile of latency in milliseconds, NaN where nobody called.
 *
 * @param before while all was quiet
 * @param crowded from the first noise to the last gateway's first rejection
 * @param after from then on
 */
public record Delays(double before, double crowded, double after) {
    /** Nothing was measured. */
    public static final Delays UNKNOWN = new Delays(Double.NaN, Double.NaN, Double.NaN);
}
