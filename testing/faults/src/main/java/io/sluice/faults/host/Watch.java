package io.sluice.faults.host;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.faults.history.Entry;
import io.sluice.faults.history.History;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Asks the agent all the time about some callers, and writes down when it begins and ceases to turn them away for a lock. */
final class Watch implements AutoCloseable {
    private static final long INTERVAL_NANOS = 10_000_000;

    private final GateAgent agent;
    private final History history;
    private final Map<String, Boolean> locked = new LinkedHashMap<>();
    private boolean closed;

    Watch(GateAgent agent, History history) {
        this.agent = agent;
        this.history = history;
        Thread thread = new Thread(this::run, "host-watch");
        thread.setDaemon(true);
        thread.start();
    }

    synchronized String callers(List<String> callers) {
        callers.forEach(caller -> locked.putIfAbsent(caller, false));
        return "watching " + locked.keySet();
    }

    private void run() {
        while (look()) {
            LockSupport.parkNanos(INTERVAL_NANOS);
        }
    }

    private synchronized boolean look() {
        if (closed) {
            return false;
        }
        locked.replaceAll((caller, before) -> {
            boolean now = locked(caller);
            if (now != before) {
                history.add(now ? Entry.Kind.APPLIED : Entry.Kind.OPENED, agent.id(), caller);
            }
            return now;
        });
        return true;
    }

    private boolean locked(String caller) {
        Request request = agent.request(caller).route("/orders").method("GET").build();
        try (Verdict verdict = agent.check(request)) {
            return verdict instanceof Verdict.Rejected rejected && rejected.reason() != Verdict.Reason.LIMITED;
        }
    }

    /** Looks once more: what another reader has just received must not be missing. */
    @Override
    public synchronized void close() {
        look();
        closed = true;
    }
}
