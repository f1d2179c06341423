package io.sluice.demo.stage;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A service that can do two things at a time, each in five milliseconds, like one with two database connections: about
 * 380 requests a second; requests wait while both are busy. That is how one caller makes all others slow.
 */
final class OrdersService implements HttpHandler {
    private static final int CONNECTIONS = 2;
    private static final long WORK_MILLIS = 5;
    private static final int OK = 200;

    private final Semaphore connections = new Semaphore(CONNECTIONS, true);

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        connections.acquireUninterruptibly();
        try {
            TimeUnit.MILLISECONDS.sleep(WORK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connections.release();
        }
        byte[] body = "{\"status\":\"shipped\"}\n".getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(OK, head ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }
}
