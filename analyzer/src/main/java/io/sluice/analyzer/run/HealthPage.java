package io.sluice.analyzer.run;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.settings.HttpSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a supervisor how the analyzer is: {@code /livez} answers as long as the process is there, {@code /readyz} with 200
 * while all its tasks are being worked on and with 503 while they are not. It answers nothing else and takes no input.
 */
final class HealthPage implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HealthPage.class);

    private final @Nullable HttpServer server;

    private HealthPage(@Nullable HttpServer server) {
        this.server = server;
    }

    /** Serves at the configured address; a port in use is a warning, for the analyzer does its work without the page. */
    static HealthPage open(HttpSettings where, BooleanSupplier ready) {
        if (where.port() == 0) {
            return new HealthPage(null);
        }
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(where.bind(), where.port()), 0);
            server.createContext("/livez", exchange -> answer(exchange, true));
            server.createContext("/readyz", exchange -> answer(exchange, ready.getAsBoolean()));
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

    private static void answer(HttpExchange exchange, boolean well) throws IOException {
        byte[] body = (well ? "ok\n" : "not ready\n").getBytes(StandardCharsets.US_ASCII);
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(well ? 200 : 503, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    /** The port it listens on, 0 for none. */
    int port() {
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
        }
    }
}
