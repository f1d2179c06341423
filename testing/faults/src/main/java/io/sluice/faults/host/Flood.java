package io.sluice.faults.host;

import io.sluice.agent.AgentStatus;
import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Callers with one call each and never seen before or after, as fast as the access log takes them: a client that
 * invents identities. On a thread of its own.
 */
final class Flood {
    private static final int ACCEPTED = 200;
    private static final int REJECTED = 429;
    private static final int LOOK_EVERY = 500;
    /** Entries that may wait to be sent: under what the queue holds, so that no caller is dropped before the analyzer. */
    private static final long WAITING = 5_000;

    private static final long PAUSE_NANOS = 200_000;

    private final GateAgent agent;
    private final LongAdder called = new LongAdder();
    private final LongAdder locked = new LongAdder();
    private final LongAdder exceptions = new LongAdder();
    private volatile long nanos;

    Flood(GateAgent agent) {
        this.agent = agent;
    }

    /** @param arguments how many callers */
    String start(List<String> arguments) {
        int callers = Integer.parseInt(arguments.get(0));
        Thread thread = new Thread(() -> callAll(callers), "host-flood");
        thread.setDaemon(true);
        thread.start();
        return "flood " + callers;
    }

    private void callAll(int callers) {
        long begin = System.nanoTime();
        for (int i = 0; i < callers; i++) {
            if (i % LOOK_EVERY == 0) {
                awaitRoom();
            }
            call(agent.request("once-" + i).route("/orders").method("GET").build());
        }
        nanos = System.nanoTime() - begin;
    }

    private void awaitRoom() {
        AgentStatus status = agent.status();
        while (status.logged() - status.sent() - status.drops() > WAITING) {
            LockSupport.parkNanos(PAUSE_NANOS);
            status = agent.status();
        }
    }

    private void call(Request request) {
        try (Verdict verdict = agent.check(request)) {
            if (verdict instanceof Verdict.Rejected rejected && rejected.reason() == Verdict.Reason.LOCKED) {
                locked.increment();
            }
            agent.log(request, verdict, verdict.allowed() ? ACCEPTED : REJECTED, 1, 1);
        } catch (RuntimeException | Error e) {
            exceptions.increment();
        }
        called.increment();
    }

    /** How many have called, how many of them met a lock, and how long all of them took, 0 while they do. */
    String figures() {
        return "called=" + called.sum() + " locked=" + locked.sum() + " exceptions=" + exceptions.sum() + " millis="
                + nanos / 1_000_000;
    }
}
