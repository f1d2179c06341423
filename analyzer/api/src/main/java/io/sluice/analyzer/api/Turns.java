package io.sluice.analyzer.api;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers that take their time, a bounded number at once; a request beyond that is refused. */
final class Turns {
    /** Of a request beyond the bound. */
    static final String BUSY = "too many requests at once";
    /** Of a request that no thread works on. */
    static final String NO_THREAD = "no thread for this request: the analyzer ends, or lacks memory";

    private static final Logger log = LoggerFactory.getLogger(Turns.class);

    private Turns() {}

    /** Sends the response to a request whose work has not begun, or has failed. */
    interface Refusal {
        void send(int status, String message);
    }

    /**
     * Runs work that sends a response on a thread of its own; refuses with 503 when there is no turn, and with 500 when the work fails.
     *
     * @param busy why there is no turn
     */
    static void take(Semaphore turns, String busy, Request request, Refusal refusal, Runnable work) {
        if (!turns.tryAcquire()) {
            refusal.send(503, busy);
            return;
        }
        try {
            request.getComponents().getExecutor().execute(() -> {
                try {
                    work.run();
                } catch (RuntimeException | Error e) {
                    log.warn("a request could not be answered", e);
                    refusal.send(500, "the request could not be answered");
                } finally {
                    turns.release();
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // the latter where the system gives no further thread
            turns.release();
            refusal.send(503, NO_THREAD);
        }
    }
}
