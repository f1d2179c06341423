package io.sluice.agent.feed;

import io.sluice.contract.agent.AgentHeartbeat;

/** What the publisher sends besides the access log, and what it hears back. Called on its threads. */
public interface Heartbeat {

    /** The agent's heartbeat as of now. */
    AgentHeartbeat now();

    /** The broker appended a heartbeat at this broker time, epoch milliseconds. */
    void appended(long time);
}
