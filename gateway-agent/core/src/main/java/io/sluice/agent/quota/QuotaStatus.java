package io.sluice.agent.quota;

/**
 * What an agent knows of a strategy. Counts start with the agent. Immutable.
 *
 * @param strategy the name
 * @param state whether the store is asked
 * @param granted requests that the store granted
 * @param refused requests that it refused
 * @param failed requests that it answered with an error
 * @param timedOut requests that it did not answer in time; what it granted later was returned
 * @param degraded requests that the agent decided by its share of the limits
 * @param droppedCorrections corrections that the store may not have applied: too many waited, or it failed
 * @param ahead what the strategy has taken ahead
 */
public record QuotaStatus(
        String strategy,
        State state,
        long granted,
        long refused,
        long failed,
        long timedOut,
        long degraded,
        long droppedCorrections,
        PermitsAhead ahead) {

    /**
     * Returns the status of a strategy that policies name and an agent does not have.
     *
     * @param strategy the name
     * @return a status without counts
     */
    public static QuotaStatus missing(String strategy) {
        return new QuotaStatus(strategy, State.MISSING, 0, 0, 0, 0, 0, 0, PermitsAhead.NONE);
    }

    /** Whether a store is asked. */
    public enum State {
        /** It is asked for each request. */
        CLOSED,
        /** It failed and is not asked for now. */
        OPEN,
        /** It failed, and one request tries it. */
        HALF_OPEN,
        /** Policies name it, but the agent does not have it. */
        MISSING
    }
}
