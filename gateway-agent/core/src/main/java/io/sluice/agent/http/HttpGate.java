package io.sluice.agent.http;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.Verdict;
import io.sluice.contract.event.RouteNormalizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What all HTTP filters have in common: from an exchange to a verdict, and from a response to the access log. */
final class HttpGate {
    private static final Logger LOG = LoggerFactory.getLogger(HttpGate.class);

    private final GateAgent agent;
    private final CallerExtraction caller;
    private final RouteNormalizer routes;

    HttpGate(GateAgent agent, CallerExtraction caller, RouteNormalizer routes) {
        this.agent = agent;
        this.caller = caller;
        this.routes = routes;
    }

    /** A request on its way through the gate. Logs itself once, however often it is told to. */
    final class Passage {
        private final Request request;
        private final Verdict verdict;
        private final long since = System.nanoTime();
        private boolean logged;

        private Passage(Request request) {
            this.request = request;
            this.verdict = agent.check(request);
        }

        Verdict verdict() {
            return verdict;
        }

        synchronized void done(int status, long bytes) {
            if (!logged) {
                logged = true;
                verdict.close();
                agent.log(request, verdict, status, bytes, (System.nanoTime() - since) / 1000);
            }
        }
    }

    Passage enter(HttpDoor door) {
        return new Passage(request(door));
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
