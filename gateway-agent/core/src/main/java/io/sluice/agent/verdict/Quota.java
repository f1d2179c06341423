package io.sluice.agent.verdict;

/**
 * The state of a limit, in the terms of the RateLimit header fields. Immutable.
 *
 * @param policy the limit's policy
 * @param unit what is counted
 * @param limit the most permits at once
 * @param windowNanos nanoseconds in which a used-up limit is fully restored, rounded up, at least 1: so the rate is {@code limit / windowNanos}; meaningless
 *     for requests in flight
 * @param remaining permits left
 * @param resetSeconds seconds until the limit is fully restored or, when nothing remains, until the next permit; rounded up. Meaningless for
 *     requests in flight
 */
public record Quota(String policy, Unit unit, long limit, long windowNanos, long remaining, long resetSeconds) {

    private static final long SECOND = 1_000_000_000;

    /** Unit of a limit. */
    public enum Unit {
        /** Requests per time. */
        REQUESTS,
        /** What requests cost per time, in the service's own unit. */
        COST,
        /** Requests in flight. */
        CONCURRENT_REQUESTS;

        /**
         * Returns whether the limit is one per time.
         *
         * @return false for requests in flight
         */
        public boolean timed() {
            return this != CONCURRENT_REQUESTS;
        }
    }

    /**
     * Creates the quota of a limit on requests per time.
     *
     * @param policy the limit's policy
     * @param limit the most permits at once
     * @param windowNanos nanoseconds in which a used-up limit is fully restored
     * @param remaining permits left
     * @param resetSeconds seconds until the limit is restored
     */
    public Quota(String policy, long limit, long windowNanos, long remaining, long resetSeconds) {
        this(policy, Unit.REQUESTS, limit, windowNanos, remaining, resetSeconds);
    }

    /**
     * Returns the window in the unit of the RateLimit header fields.
     *
     * @return seconds, rounded up
     */
    public long windowSeconds() {
        return windowNanos / SECOND + (windowNanos % SECOND == 0 ? 0 : 1);
    }

    /**
     * Returns the quota of a limit on requests in flight, for which no reset time is known.
     *
     * @param policy the limit's policy
     * @param limit the most requests in flight
     * @param remaining permits left
     * @return a quota without reset time
     */
    public static Quota inFlight(String policy, long limit, long remaining) {
        return new Quota(policy, Unit.CONCURRENT_REQUESTS, limit, 1, remaining, 0);
    }
}
