package io.sluice.benchmarks.reaction;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.policy.PolicySet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Real agents, asked ten thousand times a second whether they let a caller pass. */
final class Gates implements Witness {
    private static final long EVERY_NANOS = 100_000;
    /** When more are under way, looking may not take the machine from the contenders. */
    private static final int FEW = 4;

    private static final long IDLE_NANOS = 1_000_000;
    private static final long READY_SECONDS = 60;
    private static final long LOOK_MILLIS = 20;
    /** The longest wait for a reaction. */
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final List<GateAgent> agents = new ArrayList<>();
    private final ConcurrentLinkedQueue<Watched> expected = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::run, "gates");
    private volatile boolean closing;

    private static final class Watched {
        private final Crossing crossing;
        private final Request request;
        private final boolean[] closed = new boolean[GATES];

        private Watched(Crossing crossing, Request request) {
            this.crossing = crossing;
            this.request = request;
        }
    }

    Gates(String bootstrap, String prefix, PolicySet policies) {
        for (int i = 0; i < GATES; i++) {
            agents.add(GateAgent.builder()
                    .bootstrap(bootstrap)
                    .topicPrefix(prefix)
                    .service(CheckoutPolicies.CHECKOUT)
                    .id(prefix + i)
                    .heartbeat(Duration.ofSeconds(1))
                    .policies(policies)
                    .build());
        }
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until every agent knows all there is to know. */
    void awaitFresh() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        while (agents.stream().anyMatch(agent -> agent.freshness() != Freshness.FRESH)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        "the agents are not ready: " + agents.get(0).status());
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    @Override
    public void expect(Crossing crossing) {
        expected.add(
                new Watched(crossing, agents.get(0).request(crossing.caller).build()));
    }

    private void run() {
        while (!closing) {
            LockSupport.parkNanos(expected.isEmpty() ? IDLE_NANOS : EVERY_NANOS * (1 + expected.size() / FEW));
            Iterator<Watched> each = expected.iterator();
            while (each.hasNext()) {
                Watched watched = each.next();
                look(watched);
                if (watched.crossing.done() || System.nanoTime() - watched.crossing.sent > PATIENCE_NANOS) {
                    each.remove();
                }
            }
        }
    }

    private void look(Watched watched) {
        for (int i = 0; i < GATES; i++) {
            if (!watched.closed[i] && rejects(agents.get(i), watched.request)) {
                watched.closed[i] = true;
                watched.crossing.closed(System.nanoTime());
            }
        }
    }

    private static boolean rejects(GateAgent agent, Request request) {
        try (Verdict verdict = agent.check(request)) {
            return !verdict.allowed();
        }
    }

    @Override
    public void close() {
        closing = true;
        agents.forEach(GateAgent::close);
    }
}
