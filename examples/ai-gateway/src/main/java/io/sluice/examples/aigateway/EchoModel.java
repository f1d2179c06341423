package io.sluice.examples.aigateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Stands for the model: streams the prompt's words back as server-sent events, and what that cost at the end. */
final class EchoModel implements AutoCloseable {
    private final HttpServer server;

    EchoModel() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/completions", EchoModel::answer);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/completions");
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Completion asked = Completion.parse(exchange.getRequestBody().readAllBytes());
            String[] words = asked.prompt().trim().split("\\s+", -1);
            int answered = Math.min(words.length, asked.maxTokens());
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            OutputStream body = exchange.getResponseBody();
            for (int i = 0; i < answered; i++) {
                write(body, "{\"token\":\"" + words[i].replaceAll("[^\\p{Alnum}]", "") + "\"}");
            }
            write(body, "{\"usage\":{\"total_tokens\":" + (words.length + answered) + "}}");
        }
    }

    private static void write(OutputStream body, String json) throws IOException {
        body.write(("data: " + json + "\n\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
