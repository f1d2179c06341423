package io.sluice.analyzer.top;

/**
 * How many of the requests of about the last minute have a claimed caller, for which no policy that counts by caller locks. Immutable.
 *
 * @param requests all of them
 * @param claimed those with a claimed caller, at most {@code requests}
 */
public record ClaimedShare(long requests, long claimed) {
    /** No requests. */
    public static final ClaimedShare NONE = new ClaimedShare(0, 0);

    /** Returns the share of claimed ones, 0 to 1; 0 without requests. */
    public double share() {
        return requests == 0 ? 0 : (double) claimed / requests;
    }

    /** Returns the sum of both. */
    public ClaimedShare plus(ClaimedShare other) {
        return new ClaimedShare(requests + other.requests, claimed + other.claimed);
    }
}
