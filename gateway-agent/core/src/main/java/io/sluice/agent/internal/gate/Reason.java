package io.sluice.agent.internal.gate;

import io.sluice.contract.agent.AgentReason;

/**
 * Why the agent does not fully work.
 *
 * @param code for heartbeats
 * @param text for its host, with figures and names
 */
public record Reason(AgentReason code, String text) {}
