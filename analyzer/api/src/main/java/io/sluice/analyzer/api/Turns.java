package io.sluice.analyzer.api;

import io.sluice.http.server.Responses;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers that take their time, a bounded number at once; a request beyond that is asked to come again. */
final class Turns {
    /** Of a request that no thread works on. */
    static final String NO_THREAD = "no thread for this request: the analyzer ends, or lacks memory";

    private static final Logger log = LoggerFactory.getLogger(Turns.class);

    private Turns() {}

    /** Runs work that sends a response on a thread of its own; sends 503 when there is no turn, and 500 when the work fails. */
    static void take(Semaphore turns, Request request, Response response, Callback callback, Runnable work) {
        if (!turns.tryAcquire()) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
            Responses.problem(response, callback, 503, "too many requests at once");
            return;
        }
        try {
            request.getComponents().getExecutor().execute(() -> {
                try {
                    work.run();
                } catch (RuntimeException | Error e) {
                    log.warn("a request could not be answered", e);
                    Responses.problem(response, callback, 500, "the request could not be answered");
                } finally {
                    turns.release();
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // the latter where the system gives no further thread
            turns.release();
            Responses.problem(response, callback, 503, NO_THREAD);
        }
    }
}
