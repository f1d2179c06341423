package io.sluice.sidecar;

import io.sluice.agent.http.HttpSignals;
import io.sluice.agent.verdict.Verdict;
import io.sluice.http.server.Connections;
import io.sluice.http.server.HttpEndpoint;
import io.sluice.http.server.Responses;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Responses of the sidecar over HTTP:
 *
 * <ul>
 *   <li>{@code GET|POST /check}, asked with headers: 204, or the reject status
 *   <li>{@code /envoy/…}, any method, asked as Envoy's external authorization does: 200, or the reject status
 *   <li>{@code POST /json}, a rate limit request as JSON, as envoyproxy/ratelimit has it: 200 or 429
 *   <li>{@code GET /livez}: 200 as long as the process answers
 *   <li>{@code GET /readyz}: 200 once the agent has read all locks and policies (it has been FRESH or STALE), 503 before and while the
 *       sidecar drains. A sidecar that isn't ready answers checks all the same, by each policy's {@code onDegraded}
 *   <li>{@code GET /healthcheck}: as {@code /readyz}, where envoyproxy/ratelimit has it
 *   <li>{@code GET /metrics}: what Prometheus scrapes
 * </ul>
 *
 * Thread-safe.
 */
final class HttpAnswers implements HttpEndpoint.Answers {
    private static final String ENVOY = "/envoy/";
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;

    private final HeaderReader reader;
    private final CheckService checks;
    private final JsonAnswers json;
    private final StatusPages pages;
    private final HttpSignals signals = HttpSignals.standard();

    HttpAnswers(HeaderReader reader, CheckService checks, JsonAnswers json, StatusPages pages) {
        this.reader = reader;
        this.checks = checks;
        this.json = json;
        this.pages = pages;
    }

    @Override
    public void answer(Request request, Response response, Callback callback) {
        String path = request.getHttpURI().getPath();
        String method = request.getMethod();
        if (announcesBody(request) && !"/json".equals(path)) {
            // it is not read, and a proxy that announced a client's body but does not send it would lose the start of
            // the
            // next request instead
            response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
            // so the request is complete: the time from here on is the sidecar's
            Connections.alive(request);
        }
        if (path == null) {
            Responses.problem(response, callback, NOT_FOUND, "Not found");
        } else if (path.equals("/check")) {
            if (method.equals("GET") || method.equals("POST")) {
                answer(response, callback, NO_CONTENT, () -> reader.check(peer(request), request.getHeaders()));
            } else {
                notAllowed(response, callback, "GET, POST");
            }
        } else if (path.startsWith(ENVOY)) {
            String uri = request.getHttpURI().getPathQuery().substring(ENVOY.length() - 1);
            answer(response, callback, OK, () -> reader.check(peer(request), request.getHeaders(), uri, method));
        } else if (path.equals("/json")) {
            if (method.equals("POST")) {
                json.answer(request, response, callback);
            } else {
                notAllowed(response, callback, "POST");
            }
        } else {
            pages.answer(path, request, response, callback);
        }
    }

    private static boolean announcesBody(Request request) {
        return request.getLength() > 0 || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
    }

    private interface Question {
        Check read() throws UnreadableCheckException;
    }

    private void answer(Response response, Callback callback, int allowed, Question question) {
        Check check;
        try {
            check = question.read();
        } catch (UnreadableCheckException e) {
            Responses.problem(response, callback, BAD_REQUEST, String.valueOf(e.getMessage()));
            return;
        }
        var unused = checks.ask(check)
                .thenAccept(verdict -> write(response, callback, allowed, verdict))
                .whenComplete((written, error) -> {
                    if (error != null) {
                        callback.failed(error);
                    }
                });
    }

    private void write(Response response, Callback callback, int allowed, Verdict verdict) {
        for (HttpSignals.Field field : signals.fields(verdict)) {
            response.getHeaders().put(field.name(), field.value());
        }
        if (verdict instanceof Verdict.Rejected rejected) {
            int status = checks.rejectStatus();
            Responses.write(response, callback, status, HttpSignals.PROBLEM, HttpSignals.body(rejected, status));
        } else {
            response.setStatus(allowed);
            CheckService.inTurn(verdict.delayNanos(), () -> response.write(true, null, callback));
        }
    }

    private static String peer(Request request) {
        return Request.getRemoteAddr(request);
    }

    static void notAllowed(Response response, Callback callback, String allowed) {
        response.getHeaders().put(HttpHeader.ALLOW, allowed);
        Responses.problem(response, callback, METHOD_NOT_ALLOWED, "Method not allowed");
    }
}
