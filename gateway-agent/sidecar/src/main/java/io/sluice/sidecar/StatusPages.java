package io.sluice.sidecar;

import io.sluice.http.server.Responses;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Pages for supervisors: liveness, readiness and metrics. Thread-safe. */
final class StatusPages {
    /** Prometheus's own text format. */
    private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

    private static final Pattern LINE_BREAKS = Pattern.compile("\\R");
    private static final Set<String> PATHS = Set.of("/livez", "/readyz", "/healthcheck", "/metrics");

    private final BooleanSupplier ready;
    private final Supplier<List<String>> reasons;
    private final Supplier<String> metrics;

    /** @param reasons why the agent is not fully working; must be quick */
    StatusPages(BooleanSupplier ready, Supplier<List<String>> reasons, Supplier<String> metrics) {
        this.ready = ready;
        this.reasons = reasons;
        this.metrics = metrics;
    }

    void answer(String path, Request request, Response response, Callback callback) {
        if (!PATHS.contains(path)) {
            Responses.problem(response, callback, 404, "Not found");
        } else if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
            HttpAnswers.notAllowed(response, callback, "GET, HEAD");
        } else if (path.equals("/metrics")) {
            // visits every lock: not on the thread that reads other requests
            request.getComponents().getExecutor().execute(() -> scrape(response, callback));
        } else if (path.equals("/livez")) {
            text(response, callback, 200, "text/plain", "OK\n");
        } else if (ready.getAsBoolean()) {
            text(response, callback, 200, "text/plain", "OK\n" + why());
        } else {
            text(response, callback, 503, "text/plain", "not ready\n" + why());
        }
    }

    private String why() {
        return reasons.get().stream()
                .map(reason -> "reason: " + LINE_BREAKS.matcher(reason).replaceAll(" ") + "\n")
                .collect(Collectors.joining());
    }

    private void scrape(Response response, Callback callback) {
        try {
            text(response, callback, 200, METRICS, metrics.get());
        } catch (RuntimeException e) {
            callback.failed(e);
        }
    }

    private static void text(Response response, Callback callback, int status, String type, String text) {
        Responses.write(response, callback, status, type, text.getBytes(StandardCharsets.UTF_8));
    }
}
