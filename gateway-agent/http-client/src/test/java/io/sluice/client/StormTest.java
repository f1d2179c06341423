package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.agent.GateAgent;
import io.sluice.agent.http.CallerExtraction;
import io.sluice.agent.http.GateHttpFilter;
import io.sluice.contract.event.Identity;
import io.sluice.contract.event.RouteNormalizer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fifty clients of one caller at once, against a limit of ten a second: what reaches the server until all are served. */
@Tag("full")
@Timeout(300)
final class StormTest {
    private static final int CLIENTS = 50;
    private static final int RATE = 10;
    /**
     * The most requests of clients that wait as long as the answer says. That is a second or more, in which the bucket fills up. A client that is then
     * rejected again came after nine others that took its permits. So the n-th client that is served was rejected once, and once more for each nine
     * before it, however slow the machine is.
     */
    private static final int MOST =
            IntStream.range(0, CLIENTS).map(before -> 2 + before / (RATE - 1)).sum();

    private static final String POLICIES =
            "{\"policies\":[{\"name\":\"plans\",\"per\":[\"caller\"],\"limit\":{\"rate\":\"%d/s\",\"burst\":%d}}]}"
                    .formatted(RATE, RATE);

    private final HttpClient jdk = HttpClient.newHttpClient();
    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final Witness witness = new Witness();
    /** Part of the clients' names: what a client was told may be noted only after it has left, in the next storm. */
    private int storms;

    private GateAgent agent;
    private HttpServer server;

    /** Stands before the gate and records when each client comes, and which come earlier than allowed. */
    private static final class Witness extends Filter {
        final AtomicInteger requests = new AtomicInteger();
        final Queue<Long> early = new ConcurrentLinkedQueue<>();
        private final Map<String, Long> notBefore = new ConcurrentHashMap<>();

        @Override
        public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
            long now = System.nanoTime();
            String client = exchange.getRequestHeaders().getFirst("X-Client");
            Long told = notBefore.remove(client);
            if (told != null && now < told) {
                early.add(told - now);
            }
            requests.incrementAndGet();
            chain.doFilter(exchange);
            String retryAfter = exchange.getResponseHeaders().getFirst("Retry-After");
            if (retryAfter != null) {
                notBefore.put(client, now + Long.parseLong(retryAfter) * 1_000_000_000);
            }
        }

        @Override
        public String description() {
            return "witness";
        }
    }

    @BeforeEach
    void start() throws IOException {
        agent = GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("orders")
                .policies(POLICIES.getBytes(StandardCharsets.UTF_8))
                .build();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        HttpContext context = server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        CallerExtraction caller = CallerExtraction.of("header:X-Api-Key", Identity.AUTHENTICATED, List.of(), 64);
        GateHttpFilter gate = new GateHttpFilter(agent, caller, new RouteNormalizer(List.of()));
        context.getFilters().add(witness);
        context.getFilters().add(gate);
        server.start();
    }

    @AfterEach
    void stop() {
        clients.shutdownNow();
        server.stop(0);
        threads.shutdownNow();
        agent.close();
    }

    private HttpRequest request(int client) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"))
                .header("X-Api-Key", "acme")
                .header("X-Client", "c" + storms + "-" + client)
                .build();
    }

    private interface Attempt {
        int status(int client) throws Exception;
    }

    /** How many requests it takes until every client was served once. */
    private int storm(Attempt attempt) throws Exception {
        storms++;
        witness.requests.set(0);
        List<Future<Integer>> served = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int client = i;
            served.add(clients.submit(() -> attempt.status(client)));
        }
        for (Future<Integer> one : served) {
            assertThat(one.get(120, TimeUnit.SECONDS)).isEqualTo(204);
        }
        return witness.requests.get();
    }

    private int naive(int client) throws Exception {
        int status = 0;
        while (status != 204) {
            status = jdk.send(request(client), BodyHandlers.discarding()).statusCode();
        }
        return status;
    }

    @Test
    void patienceCalmsAStorm() throws Exception {
        int naive = storm(this::naive);
        assertThat(witness.early)
                .as("naive clients do come early, so the witness sees it")
                .isNotEmpty();
        witness.early.clear();

        RetryPolicy patience = RetryPolicy.builder()
                .attempts(50)
                .within(Duration.ofSeconds(100))
                .budget(50, 0)
                .build();
        PatientHttpClient[] apart = new PatientHttpClient[CLIENTS];
        for (int i = 0; i < CLIENTS; i++) {
            apart[i] = PatientHttpClient.over(jdk, patience);
        }
        int each = storm(client ->
                apart[client].send(request(client), BodyHandlers.discarding()).statusCode());
        assertThat(witness.early).isEmpty();

        RetryPolicy together = RetryPolicy.builder()
                .attempts(50)
                .within(Duration.ofSeconds(100))
                .budget(CLIENTS * 50, 0)
                .build();
        PatientHttpClient one = PatientHttpClient.over(jdk, together);
        int shared = storm(
                client -> one.send(request(client), BodyHandlers.discarding()).statusCode());
        assertThat(witness.early).isEmpty();

        System.out.printf(
                "requests until %d clients were served: naive %d, patient %d, patient sharing one client %d%n",
                CLIENTS, naive, each, shared);
        assertThat(each).isLessThanOrEqualTo(MOST);
        assertThat(shared).isLessThanOrEqualTo(MOST);
        assertThat(agent.status().failures()).isZero();
    }
}
