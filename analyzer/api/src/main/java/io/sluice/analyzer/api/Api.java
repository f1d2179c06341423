package io.sluice.analyzer.api;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.fleet.DecisionLog;
import io.sluice.analyzer.fleet.FleetState;
import io.sluice.analyzer.run.TaskQueries;
import io.sluice.contract.topic.TopicFollower;
import io.sluice.contract.topic.TopicNames;
import io.sluice.http.server.BoundedBody;
import io.sluice.http.server.HttpEndpoint;
import io.sluice.http.server.Responses;
import io.sluice.settings.HttpSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code /api/v1/…} and {@code /openapi.json}. It follows the topics itself, so each instance answers for the whole fleet, and goes on
 * answering while its tasks stand still. What an operator asks for it writes where {@code http.writes} allows it; nothing else. Thread-safe.
 */
public final class Api implements HttpEndpoint.Answers, AutoCloseable {
    private static final String PATH = "/api/v1";
    private static final String EVENTS = PATH + "/events";
    private static final Duration WRITE_PATIENCE = Duration.ofSeconds(5);
    private static final int LONGEST_URI = 8_192;
    /** A listener that is gone is noticed when it is written to. */
    private static final long HEARTBEAT_MILLIS = 5_000;

    /** Questions answered at once; some read Kafka or ask the other instances. */
    private static final int AT_ONCE = 32;

    private final Semaphore turns = new Semaphore(AT_ONCE);
    private final ApiGuard guard;
    private final Answers answers;
    private final Dashboard dashboard = new Dashboard();
    private final SignIn signIn;
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
     * @param catchingUp how far it is behind, as a sentence; empty where it is not
     */
    public record Instance(
            String name,
            long maxLease,
            BooleanSupplier running,
            Supplier<Map<Count, Long>> counts,
            TaskQueries tasks,
            Supplier<String> catchingUp) {
        /** An instance of which it is not known how far it is behind. */
        public Instance(
                String name,
                long maxLease,
                BooleanSupplier running,
                Supplier<Map<Count, Long>> counts,
                TaskQueries tasks) {
            this(name, maxLease, running, counts, tasks, () -> "");
        }
    }

    private Api(
            ApiGuard guard,
            SignIn signIn,
            Answers answers,
            Writes writes,
            EventStreams events,
            TopicFollower follower) {
        this.guard = guard;
        this.signIn = signIn;
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
     * @throws IOException when the token can't be read or is too short to be one, or the files of TLS cannot be used
     */
    public static Api open(HttpSettings where, Map<String, Object> client, TopicNames topics, Instance instance)
            throws IOException {
        String token = token(where.tokenFile());
        Peers.Access access = Peers.Access.of(where, token);
        ApiGuard guard = new ApiGuard(where, token, instance.tasks().address());
        FleetState fleet = new FleetState(topics, instance.maxLease());
        GateEvents events = new GateEvents(topics.gateLocks(), EventStreams.MOST);
        TopicFollower follower = new TopicFollower(client, fleet.followed(), new CompositeListener(fleet, events));
        if (where.port() != 0) {
            follower.start();
        }
        return new Api(
                guard,
                new SignIn(token, where.tls().on()),
                new Answers(
                        fleet,
                        instance,
                        where.writes() && token != null,
                        access,
                        new DecisionLog(client, topics.decisions()),
                        new DeadLetterAnswers(client, topics.deadLetters()),
                        System::currentTimeMillis),
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
    public void answer(Request request, Response response, Callback callback) {
        HttpURI uri = request.getHttpURI();
        String path = String.valueOf(uri.getPath());
        boolean page = Dashboard.serves(path) && reads(request);
        boolean session = path.equals(SignIn.PATH);
        Optional<ApiGuard.Refusal> refusal = page || session
                ? guard.address(request.getMethod(), request.getHeaders())
                : guard.refusal(request.getMethod(), request.getHeaders(), String.valueOf(uri.getPathQuery()));
        if (session && !reads(request) && refusal.isEmpty()) {
            refusal = guard.session(request.getHeaders());
        }
        if (refusal.isPresent()) {
            send(Answer.problem(refusal.get().status(), refusal.get().message()), response, callback);
        } else if (path.length() > LONGEST_URI) {
            send(Answer.problem(414, "longer than " + LONGEST_URI + " characters"), response, callback);
        } else if (page) {
            dashboard.answer(path, request, response, callback);
        } else if (session) {
            session(request, response, callback);
        } else if (path.equals(EVENTS) && reads(request)) {
            events.open(request, response, callback).ifPresent(wrong -> send(wrong, response, callback));
        } else if (path.equals("/openapi.json")) {
            send(new Answer(200, openApi), response, callback);
        } else if (path.startsWith(PATH + "/")) {
            question(request, path.substring(PATH.length()), response, callback);
        } else {
            send(Answer.problem(404, "there are /, /api/v1/... and /openapi.json"), response, callback);
        }
    }

    private static boolean reads(Request request) {
        return request.getMethod().equals("GET");
    }

    private void question(Request request, String path, Response response, Callback callback) {
        Question question;
        try {
            question = Question.of(path, request.getHttpURI().getQuery());
        } catch (IllegalArgumentException e) {
            send(Answer.problem(400, "a % is not followed by two hexadecimal digits"), response, callback);
            return;
        }
        if (reads(request)) {
            Turns.take(turns, request, response, callback, () -> send(answers.to(question), response, callback));
            return;
        }
        body(request, response, callback, Writes.LONGEST_BODY, body -> {
            Writes.Asked asked = new Writes.Asked(
                    request.getMethod(),
                    request.getHttpURI().getQuery(),
                    request.getHeaders().get(HttpHeader.CONTENT_TYPE),
                    body);
            Turns.take(
                    turns,
                    request,
                    response,
                    callback,
                    () -> send(writes.to(question.path(), asked), response, callback));
        });
    }

    private void session(Request request, Response response, Callback callback) {
        if (reads(request)) {
            boolean signedIn =
                    guard.refusal("GET", request.getHeaders(), SignIn.PATH).isEmpty();
            send(signIn.state(signedIn), response, callback);
        } else if (request.getMethod().equals("DELETE")) {
            send(signIn.end(), response, callback);
        } else {
            body(
                    request,
                    response,
                    callback,
                    SignIn.LONGEST_BODY,
                    body -> send(signIn.start(body, System.currentTimeMillis() / 1000), response, callback));
        }
    }

    private static void body(
            Request request, Response response, Callback callback, int longest, Consumer<byte[]> then) {
        BoundedBody.read(request, longest, new BoundedBody.To() {
            @Override
            public void whole(byte[] body) {
                then.accept(body);
            }

            @Override
            public void tooLong() {
                send(Answer.problem(413, "longer than " + longest + " bytes"), response, callback);
            }

            @Override
            public void failed(Throwable why) {
                callback.failed(why);
            }
        });
    }

    private static void send(SignIn.Result result, Response response, Callback callback) {
        if (result.cookie() != null) {
            response.getHeaders().put(HttpHeader.SET_COOKIE, result.cookie());
        }
        send(result.answer(), response, callback);
    }

    private static void send(Answer answer, Response response, Callback callback) {
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CACHE_CONTROL, "no-store");
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Content-Security-Policy", "default-src 'none'");
        if (answer.status() == 401) {
            headers.put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        }
        Responses.write(
                response,
                callback,
                answer.status(),
                "application/json",
                answer.json().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        events.close();
        follower.close();
    }
}
