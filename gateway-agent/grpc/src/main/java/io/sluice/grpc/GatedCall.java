package io.sluice.grpc;

import io.grpc.Status;
import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Completion;
import io.sluice.agent.verdict.Verdict;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** A call on its way through the gate. Ends once, however often it is called. Thread-safe. */
final class GatedCall {
    private final GateAgent agent;
    private final Request request;
    private final Verdict verdict;
    private final long checked;
    private volatile long since;
    private final AtomicBoolean ended = new AtomicBoolean();

    GatedCall(GateAgent agent, Request request) {
        this.agent = agent;
        this.request = request;
        this.verdict = agent.check(request);
        // a turn is never early: the delay counts from the check, and this is after it
        this.checked = System.nanoTime();
        this.since = checked;
    }

    Verdict verdict() {
        return verdict;
    }

    /**
     * Waits for the call's turn, where a leaky bucket paces it. Waiting is no service time.
     *
     * @return false when the thread was interrupted; its turn passes unused
     */
    boolean awaitTurn() {
        long delay = verdict.delayNanos();
        for (long left = delay; left > 0; left = checked + delay - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
        }
        since = delay > 0 ? System.nanoTime() : since;
        return true;
    }

    void done(Status.Code code) {
        if (ended.compareAndSet(false, true)) {
            verdict.close(end(code));
            agent.log(request, verdict, HttpStatus.of(code), 0, (System.nanoTime() - since) / 1000);
        }
    }

    /** Maps a code to a completion: some codes mean overload; other failures mean nothing about load. */
    private static Completion end(Status.Code code) {
        return switch (code) {
            case UNAVAILABLE, DEADLINE_EXCEEDED -> Completion.OVERLOADED;
            case CANCELLED, UNKNOWN, UNIMPLEMENTED, INTERNAL, DATA_LOSS -> Completion.IGNORED;
            default -> Completion.SUCCESS;
        };
    }
}
