package io.sluice.analyzer.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Admits each request, and dispatches it by its path. Thread-safe. */
final class ApiRoutes {
    private static final String PATH = "/api/v1";
    private static final String EVENTS = PATH + "/events";
    private static final int LONGEST_URI = 8_192;

    private final Dashboard dashboard = new Dashboard();
    private final String openApi = openApi();
    private final ApiGuard guard;
    private final Endpoints endpoints;
    private final SharedAnswers shared;
    private final Semaphore turns;

    /** Handlers of the paths. */
    record Endpoints(
            SessionEndpoint sessions, Answers answers, Writes writes, EventStreams events, ReplayEndpoint replays) {}

    /** @param turns how many changes run at once */
    ApiRoutes(ApiGuard guard, Endpoints endpoints, SharedAnswers shared, Semaphore turns) {
        this.guard = guard;
        this.endpoints = endpoints;
        this.shared = shared;
        this.turns = turns;
    }

    private static String openApi() {
        try (InputStream file = ApiRoutes.class.getResourceAsStream("openapi.json")) {
            if (file == null) {
                throw new IllegalStateException("openapi.json is not in the jar");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void answer(Request request, Response response, Callback callback) {
        HttpURI uri = request.getHttpURI();
        String path = String.valueOf(uri.getPath());
        boolean page = Dashboard.serves(path) && reads(request);
        boolean session = path.equals(SignIn.PATH);
        Optional<ApiGuard.Refusal> refusal = guard.address(request.getMethod(), request.getHeaders());
        if (session && !reads(request) && refusal.isEmpty()) {
            refusal = guard.session(request.getHeaders());
        }
        ApiGuard.Admission admission = page || session
                ? new ApiGuard.Admission(null, refusal.orElse(null))
                : guard.admit(ApiGuard.RequestHead.of(request));
        ApiGuard.Refusal refused = admission.refusal();
        User user = admission.user();
        if (refused != null) {
            JsonExchange.send(Answer.problem(refused.status(), refused.message()), response, callback);
        } else if (path.length() > LONGEST_URI) {
            JsonExchange.send(Answer.problem(414, "longer than " + LONGEST_URI + " characters"), response, callback);
        } else if (page) {
            dashboard.answer(path, request, response, callback);
        } else if (session) {
            endpoints.sessions.answer(request, response, callback);
        } else if (path.equals(EVENTS) && reads(request)) {
            endpoints
                    .events
                    .open(request, response, callback)
                    .ifPresent(wrong -> JsonExchange.send(wrong, response, callback));
        } else if (path.equals("/openapi.json")) {
            JsonExchange.send(new Answer(200, openApi), response, callback);
        } else if (path.equals(SignInLinks.PATH) && request.getMethod().equals("POST") && user != null) {
            endpoints.sessions.link(user, response, callback);
        } else if (path.startsWith(PATH + "/") && user != null) {
            question(request, user, path.substring(PATH.length()), response, callback);
        } else {
            JsonExchange.send(Answer.problem(404, "there are /, /api/v1/... and /openapi.json"), response, callback);
        }
    }

    private static boolean reads(Request request) {
        return request.getMethod().equals("GET");
    }

    private void question(Request request, User user, String path, Response response, Callback callback) {
        Question question;
        try {
            question = Question.of(path, request.getHttpURI().getQuery());
        } catch (IllegalArgumentException e) {
            JsonExchange.send(Answer.problem(400, "a % is not followed by two hexadecimal digits"), response, callback);
            return;
        }
        if (reads(request)) {
            // all users see the same
            shared.give(
                    String.valueOf(request.getHttpURI().getPathQuery()),
                    request.getComponents().getExecutor(),
                    () -> endpoints.answers.to(question),
                    answer -> JsonExchange.send(answer, response, callback));
            return;
        }
        if (ReplayEndpoint.asked(request.getMethod(), PATH + path)) {
            endpoints.replays.answer(question, request, response, callback);
            return;
        }
        JsonExchange.read(request, response, callback, Writes.longestBody(PATH + path), body -> {
            Writes.Asked asked = new Writes.Asked(request, user, body);
            Turns.take(turns, Turns.BUSY, request, JsonExchange.refusal(response, callback), () -> {
                Answer answer = endpoints.writes.to(question.path(), asked);
                shared.clear();
                JsonExchange.send(answer, response, callback);
            });
        });
    }
}
