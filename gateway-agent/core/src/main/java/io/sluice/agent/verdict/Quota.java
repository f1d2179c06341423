package io.sluice.agent.verdict;

/**
 * What is left of a limit, in the words of the RateLimit header fields. Immutable.
 *
 * @param policy the limit's policy
 * @param unit what is counted
 * @param limit most permits at once
 * @param windowSeconds how long an unused limit takes to be whole again, at least 1; without meaning, and not told, when
 *     requests in flight are counted
 * @param remaining permits left
 * @param resetSeconds when something remains the time until the limit is whole again, when nothing does the time until
 *     the next permit, rounded up; not told when requests in flight are counted
 */
public record Quota(String policy, Unit unit, long limit, long windowSeconds, long remaining, long resetSeconds) {

    /** What a limit counts. */
    public enum Unit {
        /** Requests in a time. */
        REQUESTS,
        /** Requests in flight. */
        CONCURRENT_REQUESTS
    }

    /** Of a limit on requests in a time. */
    public Quota(String policy, long limit, long windowSeconds, long remaining, long resetSeconds) {
        this(policy, Unit.REQUESTS, limit, windowSeconds, remaining, resetSeconds);
    }

    /** Of a limit on requests in flight: nobody knows when one of them ends. */
    public static Quota inFlight(String policy, long limit, long remaining) {
        return new Quota(policy, Unit.CONCURRENT_REQUESTS, limit, 1, remaining, 0);
    }
}
