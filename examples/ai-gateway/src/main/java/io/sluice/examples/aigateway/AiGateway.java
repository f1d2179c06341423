package io.sluice.examples.aigateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.http.HttpSignals;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.event.Identity;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * Reserves the most tokens that a request can take, streams the model's answer, then settles what it took and logs it, so that the analyzer counts
 * tokens over all gateways. Thread-safe.
 */
public final class AiGateway implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DATA = "data: ";

    private final GateAgent agent;
    private final URI model;
    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpSignals signals = HttpSignals.standard();

    AiGateway(GateAgent agent, URI model, int port) throws IOException {
        this.agent = agent;
        this.model = model;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/v1/completions", this::complete);
        server.setExecutor(Executors.newFixedThreadPool(16, work -> {
            Thread thread = new Thread(work, "gateway");
            thread.setDaemon(true);
            return thread;
        }));
        server.start();
    }

    /** Serves on port 8085 until it is ended; an argument is Kafka's address, else it is {@code 127.0.0.1:9092}. */
    public static void main(String[] args) throws IOException {
        String kafka = args.length > 0 ? args[0] : "127.0.0.1:9092";
        GateAgent agent =
                GateAgent.builder().bootstrap(kafka).service("completions").build();
        EchoModel model = new EchoModel();
        AiGateway gateway = new AiGateway(agent, model.uri(), 8085);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            gateway.close();
            model.close();
            agent.close();
        }));
        System.out.println(gateway.uri());
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/completions");
    }

    private void complete(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Completion asked;
            try {
                asked = Completion.parse(body);
            } catch (IOException e) {
                byte[] problem = ("not a completion: " + e.getMessage() + "\n").getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
                exchange.sendResponseHeaders(400, problem.length);
                exchange.getResponseBody().write(problem);
                return;
            }
            // AUTHENTICATED is right only behind something that has checked the key
            Request request = agent.request(exchange.getRequestHeaders().getFirst("X-Api-Key"))
                    .identity(Identity.AUTHENTICATED)
                    .method("POST")
                    .route("/v1/completions")
                    .build();
            long start = System.nanoTime();
            try (Verdict verdict = agent.check(request, asked.mostTokens())) {
                signals.fields(verdict)
                        .forEach(it -> exchange.getResponseHeaders().set(it.name(), it.value()));
                if (verdict instanceof Verdict.Rejected rejected) {
                    // first: the client may have gone
                    agent.log(request, verdict, HttpSignals.REJECT_STATUS, 0, 0);
                    reject(exchange, rejected);
                    return;
                }
                Answer answer = Answer.NONE;
                try {
                    answer = stream(exchange, body, asked.promptTokens());
                } finally {
                    verdict.settle(answer.used());
                    agent.log(request, verdict, answer.status(), 0, (System.nanoTime() - start) / 1000, answer.used());
                }
            }
        }
    }

    private static void reject(HttpExchange exchange, Verdict.Rejected rejected) throws IOException {
        byte[] problem = HttpSignals.body(rejected);
        exchange.getResponseHeaders().set("Content-Type", HttpSignals.PROBLEM);
        exchange.sendResponseHeaders(HttpSignals.REJECT_STATUS, problem.length);
        exchange.getResponseBody().write(problem);
    }

    /** Streams the answer to the client. */
    private Answer stream(HttpExchange exchange, byte[] body, long promptTokens) throws IOException {
        HttpRequest forwarded = HttpRequest.newBuilder(model)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        HttpResponse<Stream<String>> response;
        try {
            response = client.send(forwarded, HttpResponse.BodyHandlers.ofLines());
        } catch (IOException e) {
            exchange.sendResponseHeaders(Answer.NONE.status(), -1);
            return Answer.NONE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.NONE;
        }
        boolean answered = response.statusCode() == 200;
        long used = answered ? promptTokens : 0;
        try (Stream<String> lines = response.body()) {
            response.headers()
                    .firstValue("Content-Type")
                    .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
            exchange.sendResponseHeaders(response.statusCode(), 0);
            OutputStream out = exchange.getResponseBody();
            for (Iterator<String> line = lines.iterator(); line.hasNext(); ) {
                String event = line.next();
                used = answered && event.startsWith(DATA) ? tokens(event.substring(DATA.length()), used) : used;
                out.write((event + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException | RuntimeException e) {
            // the client or the model ended the stream early: what has been streamed was used
        }
        return new Answer(response.statusCode(), used);
    }

    /** Each event is a token, and the last one has the model's own count. */
    private static long tokens(String event, long before) throws IOException {
        JsonNode total = JSON.readTree(event).path("usage").path("total_tokens");
        return total.isNumber() ? total.asLong() : before + 1;
    }

    @Override
    public void close() {
        server.stop(0);
    }

    /**
     * What came of a request.
     *
     * @param used tokens; a model that fails takes none
     */
    private record Answer(int status, long used) {
        /** The model can't be reached. */
        private static final Answer NONE = new Answer(502, 0);
    }
}
