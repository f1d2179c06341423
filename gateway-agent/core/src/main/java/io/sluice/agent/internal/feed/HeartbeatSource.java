package io.sluice.agent.internal.feed;

import io.sluice.contract.agent.AgentHeartbeat;

/** The content of the agent's heartbeats, and their acknowledgement. Called on the agent's own threads and its producer's. */
public interface HeartbeatSource {

    /** The agent's heartbeat as of now. */
    AgentHeartbeat now();

    /** The broker appended a heartbeat at this broker time, epoch milliseconds. */
    void appended(long time);
}
