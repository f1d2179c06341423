package io.sluice.benchmarks.recovery;

import io.sluice.agent.GateAgent;
import io.sluice.benchmarks.measure.Child;
import io.sluice.contract.agent.Freshness;
import java.util.concurrent.TimeUnit;

/** A process that starts a gate agent, as a service does, and waits until its answers can be trusted. */
final class AgentChild {

    private AgentChild() {}

    /** Bootstrap servers, then how many locks it must know. */
    public static void main(String... arguments) throws InterruptedException {
        Child.endWithParent();
        long expected = Long.parseLong(arguments[1]);
        try (GateAgent agent = GateAgent.builder()
                .bootstrap(arguments[0])
                .service("orders")
                .topicPrefix(Fleet.PREFIX)
                .build()) {
            while (agent.freshness() != Freshness.FRESH) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            double seconds = Lifetime.seconds();
            long locks = agent.status().locks();
            if (locks != expected) {
                throw new IllegalStateException("%d locks are known, not %d".formatted(locks, expected));
            }
            Child.tell("seconds", seconds);
        }
    }
}
