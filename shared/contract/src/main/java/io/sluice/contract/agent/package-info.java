/** Agents' heartbeats. Start at {@link io.sluice.contract.agent.AgentHeartbeat}. */
@NullMarked
package io.sluice.contract.agent;

import org.jspecify.annotations.NullMarked;
