package io.sluice.analyzer.api;

import io.sluice.http.server.HttpEndpoint;
import io.sluice.http.server.Responses;
import io.sluice.http.tls.Tls;
import io.sluice.settings.HttpSettings;
import io.sluice.settings.TlsSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Health and metrics pages: {@code /livez} answers as long as the process is there, {@code /readyz} with 200
 * while all its tasks are being worked on and with 503 while they are not, and on a second line whether it catches up; {@code /metrics} has
 * the format of Prometheus. Other pages are served beside them. Thread-safe.
 *
 * <p>Supervisors get through whatever other clients do: health is answered on the thread that reads requests, a response never waits for
 * its reader, and a new connection beyond {@value #CONNECTIONS} closes the one that has been silent for longest.
 */
public final class HealthPage implements AutoCloseable {
    /** Most open connections. */
    static final int CONNECTIONS = 2_560;

    private static final Logger log = LoggerFactory.getLogger(HealthPage.class);

    /** Prometheus's own text format. */
    private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

    private static final int SCRAPES = 4;

    private final BooleanSupplier ready;
    private final Supplier<String> detail;
    private final Supplier<String> metrics;
    private final Semaphore scrapes = new Semaphore(SCRAPES);
    private volatile HttpEndpoint.Answers others =
            (request, response, callback) -> Responses.problem(response, callback, 404, "Not found");
    private @Nullable HttpEndpoint server;

    private HealthPage(BooleanSupplier ready, Supplier<String> detail, Supplier<String> metrics) {
        this.ready = ready;
        this.detail = detail;
        this.metrics = metrics;
    }

    /**
     * Serves at the configured address; a port in use is a warning, for the analyzer does its work without the page.
     *
     * @param ready must be quick
     * @param detail a line to show at {@code /readyz}, or an empty string; must be quick
     * @throws IOException when the files of TLS cannot be used
     */
    public static HealthPage open(
            HttpSettings where, BooleanSupplier ready, Supplier<String> detail, Supplier<String> metrics)
            throws IOException {
        HealthPage page = new HealthPage(ready, detail, metrics);
        if (where.port() == 0) {
            return page;
        }
        TlsSettings files = where.tls();
        Tls tls = files.on() ? Tls.of(files.certificate(), files.key(), files.clientCa()) : null;
        try {
            page.server = HttpEndpoint.open(
                    where.bind(), where.port(), HttpEndpoint.Bounds.of(CONNECTIONS), "sluice-http", tls, page::answer);
        } catch (IOException e) {
            log.warn("no health page: {}; choose another http.port, or 0 for none", e.getMessage());
        }
        return page;
    }

    private void answer(Request request, Response response, Callback callback) throws Exception {
        String path = String.valueOf(request.getHttpURI().getPath());
        switch (path) {
            case "/livez" -> health(true, "", response, callback);
            case "/readyz" -> health(ready.getAsBoolean(), detail.get(), response, callback);
            case "/metrics" -> scrape(request, response, callback);
            default -> others.answer(request, response, callback);
        }
    }

    private static void health(boolean well, String detail, Response response, Callback callback) {
        String text = (well ? "ok\n" : "not ready\n") + (detail.isEmpty() ? "" : detail + "\n");
        text(response, callback, well ? 200 : 503, "text/plain", text);
    }

    private void scrape(Request request, Response response, Callback callback) {
        // visits every lock: not on the thread that reads requests
        Turns.take(
                scrapes,
                Turns.BUSY,
                request,
                (status, message) -> refuse(status, message, response, callback),
                () -> text(response, callback, 200, METRICS, metrics.get()));
    }

    private static void refuse(int status, String message, Response response, Callback callback) {
        if (status == 503) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
        }
        Responses.problem(response, callback, status, message);
    }

    private static void text(Response response, Callback callback, int status, String type, String text) {
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        Responses.write(response, callback, status, type, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Serves all other paths. */
    public void serve(HttpEndpoint.Answers answers) {
        others = answers;
    }

    /** The port it listens on, 0 for none. */
    public int port() {
        return server == null ? 0 : server.uri().getPort();
    }

    @Override
    public String toString() {
        return server == null ? "no health page" : "health at " + server.uri() + "/readyz";
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}
