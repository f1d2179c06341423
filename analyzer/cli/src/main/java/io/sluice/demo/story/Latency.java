package io.sluice.demo.story;

/**
 * The latency of the neighbours' requests during one part of a run.
 *
 * @param requests how many were measured
 * @param p90 what nine of ten stayed at or below, milliseconds; NaN without requests
 */
public record Latency(long requests, double p90) {
    /** Nothing was measured. */
    public static final Latency NONE = new Latency(0, Double.NaN);
}
