package io.sluice.analyzer.api;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.sluice.settings.HttpSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Health and metrics pages: {@code /livez} answers as long as the process is there, {@code /readyz} with 200
 * while all its tasks are being worked on and with 503 while they are not, and on a second line whether it catches up; {@code /metrics} has
 * the format of Prometheus. Other pages are served beside them.
 */
public final class HealthPage implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HealthPage.class);

    /** Prometheus's own text format. */
    private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

    private static final int THREADS = 8;

    /** The most time for writing an answer to a slow client. Not the server's own setting: that would end streams of events too. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    // the JDK's server reads a request on one of those threads, for as long as it takes, unless it is set otherwise
    static {
        preset("sun.net.httpserver.maxReqTime", "5");
        preset("sun.net.httpserver.maxReqHeaders", "64");
        preset("sun.net.httpserver.maxReqHeaderSize", "16384");
        preset("jdk.httpserver.maxConnections", "64");
    }

    private final @Nullable HttpServer server;

    private HealthPage(@Nullable HttpServer server) {
        this.server = server;
    }

    /**
     * Serves at the configured address; a port in use is a warning, for the analyzer does its work without the page.
     *
     * @param detail a line to show at {@code /readyz}, or an empty string
     */
    public static HealthPage open(
            HttpSettings where, BooleanSupplier ready, Supplier<String> detail, Supplier<String> metrics) {
        if (where.port() == 0) {
            return new HealthPage(null);
        }
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(where.bind(), where.port()), 0);
            server.createContext("/livez", timed(exchange -> answer(exchange, true, "")));
            server.createContext("/readyz", timed(exchange -> answer(exchange, ready.getAsBoolean(), detail.get())));
            server.createContext("/metrics", timed(exchange -> answer(exchange, 200, METRICS, metrics.get())));
            // several threads: a stalled client must not block a supervisor
            server.setExecutor(Executors.newFixedThreadPool(THREADS, HealthPage::thread));
            server.start();
            return new HealthPage(server);
        } catch (IOException e) {
            log.warn(
                    "no health page at {}:{} ({}); choose another http.port, or 0 for none",
                    where.bind(),
                    where.port(),
                    e.getMessage());
            return new HealthPage(null);
        }
    }

    private static HttpHandler timed(HttpHandler handler) {
        return exchange -> {
            Deadline deadline = Deadline.in(PATIENCE);
            try {
                handler.handle(exchange);
            } finally {
                deadline.close();
            }
        };
    }

    private static void answer(HttpExchange exchange, boolean well, String detail) throws IOException {
        String text = (well ? "ok\n" : "not ready\n") + (detail.isEmpty() ? "" : detail + "\n");
        answer(exchange, well ? 200 : 503, "text/plain", text);
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private static void preset(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "sluice-http");
        thread.setDaemon(true);
        return thread;
    }

    /** Serves more. */
    public void serve(String path, HttpHandler handler) {
        if (server != null) {
            server.createContext(path, timed(handler));
        }
    }

    /** The port it listens on, 0 for none. */
    public int port() {
        return server == null ? 0 : server.getAddress().getPort();
    }

    @Override
    public String toString() {
        return server == null ? "no health page" : "health at http:/" + server.getAddress() + "/readyz";
    }

    @Override
    public void close() {
        if (server != null) {
            server.stop(0);
            if (server.getExecutor() instanceof ExecutorService threads) {
                threads.shutdownNow();
            }
        }
    }
}
