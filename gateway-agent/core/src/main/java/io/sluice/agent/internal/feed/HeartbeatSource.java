package io.sluice.agent.internal.feed;

import io.sluice.contract.agent.AgentHeartbeat;

/** The content of the agent's heartbeats, and their acknowledgement. Called on the agent's and its producer's threads. */
public interface HeartbeatSource {

    /** Returns the agent's current heartbeat. */
    AgentHeartbeat now();

    /** Called when the broker has appended a heartbeat, at this broker time in epoch milliseconds. */
    void appended(long time);
}
