package io.sluice.agent;

import io.sluice.contract.policy.PolicySet;

/** Told what an agent hears, on the agent's own threads and never on a request's: it has to be quick. What it throws changes nothing. */
public interface AgentListener {
    /** These policies are in force from now on; the first time at once. */
    default void policies(PolicySet policies) {}

    /**
     * A lock of the analyzer's holds where none did. All times in epoch milliseconds, by the broker's clock as well as each side knows it.
     *
     * @param crossed time of the request that passed the threshold
     * @param decided when the analyzer decided
     * @param applied now: checks see it
     */
    default void applied(long crossed, long decided, long applied) {}
}
