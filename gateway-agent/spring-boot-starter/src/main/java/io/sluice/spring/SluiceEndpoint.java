package io.sluice.spring;

import io.sluice.agent.AgentStatus;
import io.sluice.agent.GateAgent;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** How the agent is doing, as {@code /actuator/sluice}. Thread-safe. */
@Endpoint(id = "sluice")
public final class SluiceEndpoint {
    private final GateAgent agent;

    SluiceEndpoint(GateAgent agent) {
        this.agent = agent;
    }

    /** At this moment. */
    @ReadOperation
    public AgentStatus status() {
        return agent.status();
    }
}
