package io.sluice.demo;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** A noisy and a quiet caller that ask agents directly: 200 and 20 requests a second each agent at most, and never more after a pause. */
final class AgentTraffic implements AutoCloseable {
    private static final long STEP_MILLIS = 50;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final Map<String, LongAdder> rejections = new ConcurrentHashMap<>();
    private final Map<String, Long> lastRejection = new ConcurrentHashMap<>();
    private final Map<String, Boolean> rejecting = new ConcurrentHashMap<>();

    private AgentTraffic() {}

    static AgentTraffic start(List<GateAgent> agents) {
        AgentTraffic traffic = new AgentTraffic();
        ScheduledFuture<?> running = traffic.thread.scheduleWithFixedDelay(
                () -> agents.forEach(traffic::step), 0, STEP_MILLIS, TimeUnit.MILLISECONDS);
        assert running != null;
        return traffic;
    }

    private void step(GateAgent agent) {
        for (int i = 0; i < 10; i++) {
            ask(agent, "noisy");
        }
        ask(agent, "quiet");
    }

    private void ask(GateAgent agent, String caller) {
        Request request = Request.of(caller).route("/orders/{id}").method("GET").build();
        long asked = System.currentTimeMillis();
        try (Verdict verdict = agent.check(request)) {
            rejecting.put(agent.id() + caller, !verdict.allowed());
            if (!verdict.allowed()) {
                rejections.computeIfAbsent(caller, name -> new LongAdder()).increment();
                lastRejection.put(caller, asked);
            }
            agent.log(request, verdict, verdict.allowed() ? 200 : 429, 100, 1000);
        }
    }

    boolean lockedOut(String caller, List<GateAgent> agents) {
        return agents.stream().allMatch(agent -> rejecting.getOrDefault(agent.id() + caller, false));
    }

    boolean passesAgain(String caller, List<GateAgent> agents) {
        return agents.stream().noneMatch(agent -> rejecting.getOrDefault(agent.id() + caller, true));
    }

    long rejections(String caller) {
        LongAdder count = rejections.get(caller);
        return count == null ? 0 : count.sum();
    }

    long lastRejection(String caller) {
        return lastRejection.getOrDefault(caller, 0L);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
