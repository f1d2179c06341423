package io.sluice.agent.internal.gate;

import io.sluice.contract.policy.PolicySet;

/** Receives what the agent has begun to enforce, on the agent's own threads. */
public interface DecisionListener {
    /** These policies are in force from now on. */
    default void policies(PolicySet policies) {}

    /**
     * A lock of an analyzer took effect. All times are epoch milliseconds of the broker.
     *
     * @param crossed time of the request that passed the threshold
     * @param decided time of the analyzer's decision
     * @param applied now
     */
    default void applied(long crossed, long decided, long applied) {}
}
