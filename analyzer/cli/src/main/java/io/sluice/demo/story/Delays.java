package io.sluice.demo.story;

/**
 * The neighbours' latency.
 *
 * @param before while all was quiet
 * @param crowded from the first noise to the last gateway's first rejection
 * @param after from then on
 */
public record Delays(Latency before, Latency crowded, Latency after) {
    /** Nothing was measured. */
    public static final Delays UNKNOWN = new Delays(Latency.NONE, Latency.NONE, Latency.NONE);

    /** With fewer, nine of ten is chance. */
    private static final long FEWEST = 50;
    /** Below this a difference can be the machine's. */
    private static final double CLEARLY = 1.5;

    /** Returns whether they show what a noisy caller does to the others, with enough requests in each part. */
    public boolean shown() {
        return before.requests() >= FEWEST
                && crowded.requests() >= FEWEST
                && after.requests() >= FEWEST
                && crowded.p90() >= before.p90() * CLEARLY
                && crowded.p90() >= after.p90() * CLEARLY;
    }
}
