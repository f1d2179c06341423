package io.sluice.analyzer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.analyzer.fleet.Appended;
import io.sluice.contract.agent.AgentHeartbeat;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Rejections and would-be rejections of each policy, summed over the agents. Not thread-safe. */
final class PolicyRejections {
    private final Map<String, Long> rejected = new TreeMap<>();
    private final Map<String, Long> wouldReject = new TreeMap<>();
    private final int agents;

    PolicyRejections(List<Appended<AgentHeartbeat>> agents) {
        this.agents = agents.size();
        for (Appended<AgentHeartbeat> agent : agents) {
            agent.record().rejectedByPolicy().forEach((policy, count) -> rejected.merge(policy, count, Long::sum));
            agent.record()
                    .wouldRejectByPolicy()
                    .forEach((policy, count) -> wouldReject.merge(policy, count, Long::sum));
        }
    }

    void write(JsonGenerator to) throws IOException {
        to.writeNumberField("agents", agents);
        counts("rejected", rejected, to);
        counts("wouldReject", wouldReject, to);
    }

    private static void counts(String name, Map<String, Long> counts, JsonGenerator to) throws IOException {
        to.writeObjectFieldStart(name);
        for (Map.Entry<String, Long> count : counts.entrySet()) {
            to.writeNumberField(count.getKey(), count.getValue());
        }
        to.writeEndObject();
    }
}
