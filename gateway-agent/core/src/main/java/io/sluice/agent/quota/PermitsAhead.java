package io.sluice.agent.quota;

/**
 * What a strategy has taken from its store ahead of requests. Immutable.
 *
 * @param permits permits that it holds and no request has used
 * @param subjects subjects that it holds permits of, or may
 * @param beyond requests, since it was made, that were asked for at the store one by one because it held as many subjects as it may
 */
public record PermitsAhead(long permits, long subjects, long beyond) {
    /** Of a strategy that takes nothing ahead. */
    public static final PermitsAhead NONE = new PermitsAhead(0, 0, 0);
}
