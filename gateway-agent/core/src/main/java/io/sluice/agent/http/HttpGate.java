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

/** The part that all HTTP filters share: from an exchange to a verdict, and from a response to the access log. */
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

    /** A request that has been checked. It is logged once, at the first call of {@link #done}. */
    final class GatedExchange {
        private final Request request;
        private final Verdict verdict;
        private final long checked;
        private long since;
        private boolean logged;

        private GatedExchange(Request request) {
            this.request = request;
            this.verdict = agent.check(request);
            // the delay counts from the check, so a clock read after it is never early; nor is the wait for a central
            // store part of the service time
            this.checked = System.nanoTime();
            this.since = checked;
        }

        Verdict verdict() {
            return verdict;
        }

        /**
         * Waits for the delay of a leaky bucket on the server's thread. The wait is not part of the service time.
         *
         * @throws InterruptedIOException when the thread is interrupted; the slot remains unused
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

    /** Maps a status to a completion: 503 and 504 mean overload, other server errors mean nothing about load. */
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
            // a request that the gate cannot read must not fail because of it
            LOG.debug("Request not readable; checked without caller and route", e);
            return Request.of(null).service(agent.service()).build();
        }
    }

    /** Parses a Content-Length header; 0 when there is none. */
    static long length(String header) {
        try {
            return header.isEmpty() ? 0 : Math.max(0, Long.parseLong(header));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
