package io.sluice.agent.http;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.sluice.agent.GateAgent;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.event.RouteNormalizer;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gate for the JDK's HTTP server: {@code context.getFilters().add(new GateHttpFilter(agent, caller, routes))}. Answers rejected requests
 * with 429, adds the RateLimit fields, and logs each exchange when its answer is complete, whichever thread sends it. Thread-safe.
 */
public final class GateHttpFilter extends Filter {
    private static final int SERVER_ERROR = 500;

    private final HttpGate gate;
    private final HttpSignals signals;

    /**
     * Creates a filter that charges requests to their address, with default route templates.
     *
     * @param agent decides on the requests; stays open
     */
    public GateHttpFilter(GateAgent agent) {
        this(agent, CallerExtraction.address(), new RouteNormalizer(List.of()));
    }

    /**
     * Creates a filter with {@link HttpSignals#standard}.
     *
     * @param agent decides on the requests; stays open
     * @param caller finds the caller that a request is charged to
     * @param routes maps paths to route templates
     */
    public GateHttpFilter(GateAgent agent, CallerExtraction caller, RouteNormalizer routes) {
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
    public GateHttpFilter(GateAgent agent, CallerExtraction caller, RouteNormalizer routes, HttpSignals signals) {
        this.gate = new HttpGate(agent, caller, routes);
        this.signals = signals;
    }

    @Override
    public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
        HttpGate.GatedExchange gated = gate.enter(new Door(exchange));
        Verdict verdict = gated.verdict();
        for (HttpSignals.Field field : signals.fields(verdict)) {
            exchange.getResponseHeaders().set(field.name(), field.value());
        }
        boolean followed = false;
        try {
            if (verdict instanceof Verdict.Rejected rejected) {
                reject(exchange, rejected);
            } else {
                gated.awaitTurn();
                ExchangeCompletion end = new ExchangeCompletion(exchange, gated);
                HttpExchange given = end.followed();
                chain.doFilter(given);
                // the handler may still answer, from another thread
                end.returned(given);
                followed = true;
            }
        } finally {
            if (!followed) {
                int status = exchange.getResponseCode();
                gated.done(status > 0 ? status : SERVER_ERROR, bytes(exchange));
            }
        }
    }

    private static void reject(HttpExchange exchange, Verdict.Rejected rejected) throws IOException {
        byte[] body = HttpSignals.body(rejected);
        exchange.getResponseHeaders().set("Content-Type", HttpSignals.PROBLEM);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        if (head) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
        }
        exchange.sendResponseHeaders(HttpSignals.REJECT_STATUS, head ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    static long bytes(HttpExchange exchange) {
        String length = exchange.getResponseHeaders().getFirst("Content-Length");
        return HttpGate.length(length == null ? "" : length);
    }

    @Override
    public String description() {
        return "sluice gate";
    }

    private record Door(HttpExchange exchange) implements HttpDoor {
        @Override
        public String peer() {
            return exchange.getRemoteAddress().getAddress().getHostAddress();
        }

        @Override
        public List<String> headers(String name) {
            Headers headers = exchange.getRequestHeaders();
            List<String> values = headers.get(name);
            return values == null ? List.of() : HeaderText.utf8(values);
        }

        @Override
        public @Nullable String principal() {
            return exchange.getPrincipal() == null
                    ? null
                    : exchange.getPrincipal().getUsername();
        }

        @Override
        public String path() {
            String path = exchange.getRequestURI().getRawPath();
            return path == null ? "/" : path;
        }

        @Override
        public String method() {
            return exchange.getRequestMethod();
        }
    }
}
