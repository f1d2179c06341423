package io.sluice.analyzer.api;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.sluice.analyzer.Count;
import io.sluice.analyzer.run.TaskQueries;
import io.sluice.contract.topic.TopicFollower;
import io.sluice.contract.topic.TopicNames;
import io.sluice.settings.HttpSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code /api/v1/…} and {@code /openapi.json}. It follows the topics itself, so each instance answers for the whole fleet, and goes on
 * answering while its tasks stand still. What an operator asks for it writes where {@code http.writes} allows it; nothing else. Thread-safe.
 */
public final class Api implements HttpHandler, AutoCloseable {
    private static final String PATH = "/api/v1";
    private static final String EVENTS = PATH + "/events";
    private static final Duration WRITE_PATIENCE = Duration.ofSeconds(5);
    private static final int LONGEST_URI = 8_192;
    /** A listener that is gone is noticed when it is written to. */
    private static final long HEARTBEAT_MILLIS = 5_000;

    private final ApiGuard guard;
    private final Answers answers;
    private final Writes writes;
    private final EventStreams events;
    private final TopicFollower follower;
    private final String openApi;

    /**
     * The analyzer that answers.
     *
     * @param maxLease the longest lease of a lock, in milliseconds
     * @param counts what its tasks have counted
     * @param tasks what they know of callers
     */
    public record Instance(
            String name,
            long maxLease,
            BooleanSupplier running,
            Supplier<Map<Count, Long>> counts,
            TaskQueries tasks) {}

    private Api(ApiGuard guard, Answers answers, Writes writes, EventStreams events, TopicFollower follower) {
        this.guard = guard;
        this.answers = answers;
        this.writes = writes;
        this.events = events;
        this.follower = follower;
        openApi = openApi();
    }

    /**
     * Begins to follow the topics, unless there is no port: 0.
     *
     * @param client at least {@code bootstrap.servers}
     * @throws IOException when the token can't be read, or is too short to be one
     */
    public static Api open(HttpSettings where, Map<String, Object> client, TopicNames topics, Instance instance)
            throws IOException {
        String token = token(where.tokenFile());
        ApiGuard guard = new ApiGuard(where, token, instance.tasks().address());
        FleetState fleet = new FleetState(topics, instance.maxLease());
        GateEvents events = new GateEvents(topics.gateLocks(), EventStreams.MOST);
        TopicFollower follower = new TopicFollower(client, fleet.followed(), new CompositeListener(fleet, events));
        if (where.port() != 0) {
            follower.start();
        }
        return new Api(
                guard,
                new Answers(
                        fleet, instance, token, new DecisionLog(client, topics.decisions()), System::currentTimeMillis),
                new Writes(fleet, new OperatorWriter(client, topics, WRITE_PATIENCE), System::currentTimeMillis),
                new EventStreams(events, HEARTBEAT_MILLIS),
                follower);
    }

    private static @Nullable String token(@Nullable Path file) throws IOException {
        if (file == null) {
            return null;
        }
        String token = Files.readString(file).strip();
        if (token.length() < 16) {
            throw new IOException("http.token-file: " + file + " holds " + token.length()
                    + " characters; a token needs 16 or more, such as 'openssl rand -hex 32' makes");
        }
        return token;
    }

    private static String openApi() {
        try (InputStream file = Api.class.getResourceAsStream("openapi.json")) {
            if (file == null) {
                throw new IllegalStateException("openapi.json is not in the jar");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        Optional<ApiGuard.Refusal> refusal = guard.refusal(
                exchange.getRequestMethod(),
                exchange.getRequestHeaders(),
                PeerSignature.target(exchange.getRequestURI()));
        String path = String.valueOf(exchange.getRequestURI().getRawPath());
        Answer answer;
        if (refusal.isPresent()) {
            answer = Answer.problem(refusal.get().status(), refusal.get().message());
        } else if (path.length() > LONGEST_URI) {
            answer = Answer.problem(414, "longer than " + LONGEST_URI + " characters");
        } else if (path.equals(EVENTS) && reads(exchange)) {
            Optional<Answer> wrong = events.open(exchange);
            if (wrong.isEmpty()) {
                return;
            }
            answer = wrong.get();
        } else if (path.equals("/openapi.json")) {
            answer = new Answer(200, openApi);
        } else {
            answer = path.startsWith(PATH + "/")
                    ? answered(exchange, path.substring(PATH.length()))
                    : Answer.problem(404, "there are /api/v1/... and /openapi.json");
        }
        send(exchange, answer);
    }

    private static boolean reads(HttpExchange exchange) {
        return exchange.getRequestMethod().equals("GET");
    }

    private Answer answered(HttpExchange exchange, String path) throws IOException {
        Question question;
        try {
            question = Question.of(path, exchange.getRequestURI().getRawQuery());
        } catch (IllegalArgumentException e) {
            return Answer.problem(400, "a % is not followed by two hexadecimal digits");
        }
        return reads(exchange) ? answers.to(question) : writes.to(question.path(), exchange);
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        exchange.getResponseHeaders().set("Content-Security-Policy", "default-src 'none'");
        if (answer.status() == 401) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
        }
        byte[] body = answer.json().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status(), body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Override
    public void close() {
        events.close();
        follower.close();
    }
}
