package io.sluice.examples.httpserver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.quota.chunks.RendezvousHash;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A router in front of several instances of {@link OrdersServer}. All requests of a caller reach the same instance, whose own limit is then exact for
 * the caller. When an instance is gone, its callers move to others, and no others do.
 */
public final class AffinityRouter {
    private static final String CALLER = "X-Api-Key";
    private static final List<String> RETURNED = List.of("RateLimit-Policy", "RateLimit", "Retry-After");
    private static final Set<String> REPEATABLE = Set.of("GET", "HEAD");
    private static final int BAD_GATEWAY = 502;

    private final HttpClient client;
    private final Duration answer;
    private final RendezvousHash instances;

    private AffinityRouter(List<String> instances, Duration connect, Duration answer) {
        this.client = HttpClient.newBuilder().connectTimeout(connect).build();
        this.answer = answer;
        this.instances = new RendezvousHash(instances);
    }

    /** Serves on port 8080 until it is ended; arguments are the instances, such as {@code 127.0.0.1:8082}. */
    public static void main(String[] args) throws IOException {
        start(List.of(args), 8080, Duration.ofSeconds(1), Duration.ofSeconds(10));
        System.out.println("http://127.0.0.1:8080/orders");
    }

    /** An instance that takes longer to connect or to answer is gone. */
    static HttpServer start(List<String> instances, int port, Duration connect, Duration answer) throws IOException {
        AffinityRouter router = new AffinityRouter(instances, connect, answer);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", router::route);
        server.start();
        return server;
    }

    private void route(HttpExchange exchange) throws IOException {
        String caller = exchange.getRequestHeaders().getFirst(CALLER);
        byte[] body = exchange.getRequestBody().readAllBytes();
        // the instances in the order in which they stand in for each other for this caller
        for (String instance : instances.ranked(caller == null ? "" : caller)) {
            HttpResponse<byte[]> response;
            try {
                response = client.send(request(exchange, instance, caller, body), BodyHandlers.ofByteArray());
            } catch (ConnectException | HttpConnectTimeoutException gone) {
                continue; // the next one stands in
            } catch (IOException e) {
                if (REPEATABLE.contains(exchange.getRequestMethod())) {
                    continue;
                }
                break; // it may have been served
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
            // a client that has gone is no reason to ask another instance
            answer(exchange, response);
            return;
        }
        exchange.sendResponseHeaders(BAD_GATEWAY, -1);
        exchange.close();
    }

    private HttpRequest request(HttpExchange exchange, String instance, String caller, byte[] body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://" + instance + exchange.getRequestURI()))
                .timeout(answer)
                .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
        return (caller == null ? request : request.header(CALLER, caller)).build();
    }

    private static void answer(HttpExchange exchange, HttpResponse<byte[]> response) throws IOException {
        for (String name : RETURNED) {
            response.headers()
                    .firstValue(name)
                    .ifPresent(value -> exchange.getResponseHeaders().set(name, value));
        }
        exchange.sendResponseHeaders(response.statusCode(), response.body().length == 0 ? -1 : response.body().length);
        exchange.getResponseBody().write(response.body());
        exchange.close();
    }
}
