package io.sluice.agent.http;

import io.sluice.agent.GateAgent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Agents without a broker. Each waits a second for one when it is closed: they do so together. */
final class LocalAgents {
    private final List<GateAgent> agents = new CopyOnWriteArrayList<>();

    GateAgent open(String policies) {
        // the port is closed: what the agent publishes stays in its queue
        GateAgent agent = GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .policies(policies.getBytes(StandardCharsets.UTF_8))
                .build();
        agents.add(agent);
        return agent;
    }

    void close() throws InterruptedException {
        List<Thread> closing =
                agents.stream().map(agent -> new Thread(agent::close)).toList();
        closing.forEach(Thread::start);
        for (Thread thread : closing) {
            thread.join();
        }
    }
}
