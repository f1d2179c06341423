package io.sluice.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A real server that gives scripted answers one after the other, then 200, and records the time of each request. */
final class ScriptedServer implements AutoCloseable {
    final List<Long> arrivals = new CopyOnWriteArrayList<>();
    final List<String> bodies = new CopyOnWriteArrayList<>();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private volatile Answer last = new Answer(200, List.of(), 5);

    /** @param bytes length of the body; negative to close the connection without an answer, MAX_VALUE without an end */
    record Answer(int status, List<String> fields, int bytes) {}

    ScriptedServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** Then answers this, once. */
    ScriptedServer then(int status, String... fields) {
        answers.add(new Answer(status, List.of(fields), 5));
        return this;
    }

    ScriptedServer thenHangsUp() {
        answers.add(new Answer(0, List.of(), -1));
        return this;
    }

    /** Then answers this with a body that does not end. */
    ScriptedServer thenEndless(int status, String... fields) {
        answers.add(new Answer(status, List.of(fields), Integer.MAX_VALUE));
        return this;
    }

    /** And to all others this. */
    ScriptedServer always(int status, String... fields) {
        last = new Answer(status, List.of(fields), 5);
        return this;
    }

    private void answer(HttpExchange exchange) throws IOException {
        arrivals.add(System.nanoTime());
        bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        Answer next = answers.poll();
        Answer answer = next == null ? last : next;
        if (answer.bytes < 0) {
            throw new IOException("hangs up");
        }
        for (int i = 0; i < answer.fields.size(); i += 2) {
            exchange.getResponseHeaders().add(answer.fields.get(i), answer.fields.get(i + 1));
        }
        if (answer.bytes == Integer.MAX_VALUE) {
            exchange.sendResponseHeaders(answer.status, 0);
            // until the client has had enough
            while (true) {
                exchange.getResponseBody().write(new byte[8192]);
            }
        }
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(answer.status, head ? -1 : answer.bytes);
        if (!head) {
            exchange.getResponseBody().write("x".repeat(answer.bytes).getBytes(StandardCharsets.UTF_8));
        }
        exchange.close();
    }

    HttpRequest.Builder request() {
        int port = server.getAddress().getPort();
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"));
    }

    /** Nanoseconds between two arrivals. */
    long between(int earlier, int later) {
        return arrivals.get(later) - arrivals.get(earlier);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
