package io.sluice.demo.traffic;

/**
 * How many requests were sent, how many of these were rejected, had no answer in time, and failed in another way.
 */
public record Tally(long requests, long rejected, long timedOut, long failed) {

    /** Nothing yet. */
    public static final Tally NOTHING = new Tally(0, 0, 0, 0);

    /** Both together. */
    public Tally plus(Tally other) {
        return new Tally(
                requests + other.requests, rejected + other.rejected, timedOut + other.timedOut, failed + other.failed);
    }

    /** Difference to an earlier tally. */
    public Tally minus(Tally earlier) {
        return new Tally(
                requests - earlier.requests,
                rejected - earlier.rejected,
                timedOut - earlier.timedOut,
                failed - earlier.failed);
    }

    /** Requests that passed the gate. */
    public long admitted() {
        return requests - rejected;
    }
}
