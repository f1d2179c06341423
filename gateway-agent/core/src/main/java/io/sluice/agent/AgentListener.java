package io.sluice.agent;

import io.sluice.contract.policy.PolicySet;

/**
 * Receives what an agent begins to enforce. Called on the agent's own threads, never on a request's thread. Implementations must return
 * quickly. Exceptions are counted and otherwise ignored.
 */
public interface AgentListener {
    /**
     * Called when a policy set takes effect. When the listener is registered, it is called at once with the set in force.
     *
     * @param policies the set in force from now on
     */
    default void policies(PolicySet policies) {}

    /**
     * Called when an analyzer's lock takes effect for a subject that was not locked. All times are epoch milliseconds of the broker's clock,
     * as each side knows it.
     *
     * @param crossed time of the request that passed the threshold
     * @param decided time of the analyzer's decision
     * @param applied time from which checks see the lock
     */
    default void applied(long crossed, long decided, long applied) {}
}
