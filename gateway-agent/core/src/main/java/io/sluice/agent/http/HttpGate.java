package io.sluice.agent.http;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Completion;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.event.RouteNormalizer;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What all HTTP filters have in common: from an exchange to a verdict, and from a response to the access log. */
final class HttpGate {
    private static final int SERVER_ERROR = 500;
    private static final int UNAVAILABLE = 503;
    private static final int GATEWAY_TIMEOUT = 504;
    private static final Logger LOG = LoggerFactory.getLogger(HttpGate.class);

    private final GateAgent agent;
    private final CallerExtraction caller;
    private final RouteNormalizer routes;

    HttpGate(GateAgent agent, CallerExtraction caller, RouteNormalizer routes) {
        this.agent = agent;
        this.caller = caller;
        this.routes = routes;
        caller.claimedWarning().ifPresent(LOG::warn);
    }

    /** A request on its way through the gate. Logs itself once, however often it is told to. */
    final class GatedExchange {
        private final Request request;
        private final Verdict verdict;
        private final long checked;
        private long since = System.nanoTime();
        private boolean logged;

        private GatedExchange(Request request) {
            this.request = request;
            this.verdict = agent.check(request);
            // a turn is never early: the delay counts from the check, and this is after it
            this.checked = System.nanoTime();
        }

        Verdict verdict() {
            return verdict;
        }

        /**
         * Waits for the request's turn, where a leaky bucket paces it: the thread is the server's, and it is this
         * request's until the answer. Waiting is no service time.
         *
         * @throws InterruptedIOException when the thread is interrupted; its turn passes unused
         */
        void awaitTurn() throws InterruptedIOException {
            long delay = verdict.delayNanos();
            for (long left = delay; left > 0; left = checked + delay - System.nanoTime()) {
                LockSupport.parkNanos(this, left);
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedIOException("interrupted while a leaky bucket held the request back");
                }
            }
            if (delay > 0) {
                since = System.nanoTime();
            }
        }

        synchronized void done(int status, long bytes) {
            if (!logged) {
                logged = true;
                verdict.close(end(status));
                agent.log(request, verdict, status, bytes, (System.nanoTime() - since) / 1000);
            }
        }
    }

    /** What a status says of load: a server that is too busy says so; other failures say nothing. */
    static Completion end(int status) {
        if (status == UNAVAILABLE || status == GATEWAY_TIMEOUT) {
            return Completion.OVERLOADED;
        }
        return status >= SERVER_ERROR ? Completion.IGNORED : Completion.SUCCESS;
    }

    GatedExchange enter(HttpDoor door) {
        return new GatedExchange(request(door));
    }

    private Request request(HttpDoor door) {
        try {
            return caller.request(door)
                    .service(agent.service())
                    .route(routes.normalize(door.path()))
                    .method(door.method())
                    .build();
        } catch (RuntimeException e) {
            // a gate that can't make sense of a request is no reason to fail it
            LOG.debug("a request could not be read", e);
            return Request.of(null).service(agent.service()).build();
        }
    }

    /** A Content-Length header's number, 0 when there is none. */
    static long length(String header) {
        try {
            return header.isEmpty() ? 0 : Math.max(0, Long.parseLong(header));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
