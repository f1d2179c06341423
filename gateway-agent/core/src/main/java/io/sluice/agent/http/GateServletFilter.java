package io.sluice.agent.http;

import io.sluice.agent.GateAgent;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.event.RouteNormalizer;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gate for servlet containers (Jakarta Servlet 5 and later). Register it before all expensive filters, after authentication when callers
 * are principals, and with {@code asyncSupported}. Answers rejected requests with 429, adds the RateLimit fields, and logs each request
 * when it has been answered. Thread-safe.
 *
 * <p>The client's address is that of the connection, or the {@code X-Forwarded-For} entry that trusted proxies of the {@link CallerExtraction}
 * vouch for. Changes that the container or another filter makes for forwarded headers are ignored (Tomcat 10 and 11, Jetty 12; in other
 * containers the address is {@code getRemoteAddr()}).
 */
public final class GateServletFilter implements Filter {
    private static final int SERVER_ERROR = 500;
    private static final String PASSED = GateServletFilter.class.getName();

    private final HttpGate gate;
    private final HttpSignals signals;
    private final SocketPeer socketPeer = new SocketPeer();

    /**
     * Creates a filter that charges requests to their address, with default route templates.
     *
     * @param agent decides on the requests; stays open
     */
    public GateServletFilter(GateAgent agent) {
        this(agent, CallerExtraction.address(), new RouteNormalizer(List.of()));
    }

    /**
     * Creates a filter with {@link HttpSignals#standard}.
     *
     * @param agent decides on the requests; stays open
     * @param caller finds the caller that a request is charged to
     * @param routes maps paths to route templates
     */
    public GateServletFilter(GateAgent agent, CallerExtraction caller, RouteNormalizer routes) {
        this(agent, caller, routes, HttpSignals.standard());
    }

    /**
     * Creates a filter.
     *
     * @param agent decides on the requests; stays open
     * @param caller finds the caller that a request is charged to
     * @param routes maps paths to route templates
     * @param signals writes verdicts into responses
     */
    public GateServletFilter(GateAgent agent, CallerExtraction caller, RouteNormalizer routes, HttpSignals signals) {
        this.gate = new HttpGate(agent, caller, routes);
        this.signals = signals;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean http = request instanceof HttpServletRequest && response instanceof HttpServletResponse;
        // forwards, includes, errors and asynchronous dispatches belong to a request that has been checked
        if (!http || request.getAttribute(PASSED) != null) {
            chain.doFilter(request, response);
            return;
        }
        request.setAttribute(PASSED, true);
        through((HttpServletRequest) request, (HttpServletResponse) response, chain);
    }

    private void through(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpGate.GatedExchange gated = gate.enter(new Door(request, socketPeer));
        Verdict verdict = gated.verdict();
        for (HttpSignals.Field field : signals.fields(verdict)) {
            response.setHeader(field.name(), field.value());
        }
        if (verdict instanceof Verdict.Rejected rejected) {
            try {
                reject(response, rejected);
            } finally {
                // writing fails when the client has disconnected; the request still counts
                gated.done(HttpSignals.REJECT_STATUS, bytes(response));
            }
            return;
        }
        boolean returned = false;
        try {
            gated.awaitTurn();
            chain.doFilter(request, response);
            returned = true;
        } finally {
            if (!returned || !listens(request, new WhenComplete(gated, response))) {
                gated.done(returned ? response.getStatus() : failed(response), bytes(response));
            }
        }
    }

    /** Registers a listener if the request continues asynchronously; returns whether it will be called. */
    private static boolean listens(HttpServletRequest request, AsyncListener listener) {
        try {
            if (!request.isAsyncStarted()) {
                return false;
            }
            request.getAsyncContext().addListener(listener);
            return true;
        } catch (IllegalStateException e) {
            // another thread has completed it
            return false;
        }
    }

    private static void reject(HttpServletResponse response, Verdict.Rejected rejected) throws IOException {
        byte[] body = HttpSignals.body(rejected);
        response.setStatus(HttpSignals.REJECT_STATUS);
        response.setContentType(HttpSignals.PROBLEM);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private static int failed(HttpServletResponse response) {
        return response.isCommitted() ? response.getStatus() : SERVER_ERROR;
    }

    private static long bytes(HttpServletResponse response) {
        String length = response.getHeader("Content-Length");
        return HttpGate.length(length == null ? "" : length);
    }

    private record WhenComplete(HttpGate.GatedExchange gated, HttpServletResponse response) implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            gated.done(response.getStatus(), bytes(response));
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {
            gated.done(failed(response), bytes(response));
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // listeners are dropped at the start of each asynchronous cycle
            event.getAsyncContext().addListener(this);
        }
    }

    private record Door(HttpServletRequest request, SocketPeer socketPeer) implements HttpDoor {
        @Override
        public String peer() {
            return socketPeer.address(received());
        }

        @Override
        public List<String> headers(String name) {
            return name.equalsIgnoreCase(CallerExtraction.FORWARDED)
                    ? socketPeer.forwarded(received())
                    : HeaderText.utf8(Collections.list(request.getHeaders(name)));
        }

        /** Returns the container's request: wrappers of earlier filters may report forwarded addresses that no trusted proxy wrote. */
        private HttpServletRequest received() {
            ServletRequest inner = request;
            while (inner instanceof ServletRequestWrapper wrapper) {
                inner = wrapper.getRequest();
            }
            return inner instanceof HttpServletRequest received ? received : request;
        }

        @Override
        public @Nullable String principal() {
            return request.getUserPrincipal() == null
                    ? null
                    : request.getUserPrincipal().getName();
        }

        @Override
        public String path() {
            String path = request.getRequestURI();
            return path == null ? "/" : path;
        }

        @Override
        public String method() {
            return request.getMethod();
        }
    }
}
