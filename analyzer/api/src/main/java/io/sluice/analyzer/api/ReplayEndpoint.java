package io.sluice.analyzer.api;

import io.sluice.http.server.BoundedBody;
import io.sluice.http.server.Connections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Receives logs and policies, {@value #UPLOADS} bodies at a time, and has them replayed, one at a time; further ones get 503. A body has 75 s
 * to arrive. Thread-safe.
 */
final class ReplayEndpoint {
    private static final Set<String> PATHS = Set.of("/api/v1/replay", "/api/v1/policies/trial");
    private static final int UPLOADS = 2;
    private static final String BUSY = "another replay is running; try again in a few seconds";

    private final ReplayAnswers answers;
    private final Semaphore uploads = new Semaphore(UPLOADS);
    private final Semaphore replays = new Semaphore(1);

    ReplayEndpoint(ReplayAnswers answers) {
        this.answers = answers;
    }

    /**
     * Returns whether a request is such a question: sent with {@code POST}, for its length, although it changes nothing.
     *
     * @param target a path, with or without a query
     */
    static boolean asked(String method, String target) {
        int query = target.indexOf('?');
        return method.equals("POST") && PATHS.contains(query < 0 ? target : target.substring(0, query));
    }

    /** Answers a request that {@link #asked} names. */
    void answer(Question question, Request request, Response response, Callback callback) {
        boolean log = question.path().equals(List.of("replay"));
        boolean turn = uploads.tryAcquire();
        Callback done = turn ? Callback.from(callback, (Runnable) uploads::release) : callback;
        int longest = log ? answers.longestUpload() : ReplayAnswers.POLICIES;
        // a first request usually has five seconds
        Connections.alive(request);
        BoundedBody.read(request, turn ? longest : 0, new BoundedBody.To() {
            @Override
            public void whole(byte[] body) {
                if (!turn) {
                    tooLong();
                    return;
                }
                Connections.alive(request);
                String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
                Turns.take(
                        replays,
                        BUSY,
                        request,
                        JsonExchange.refusal(response, done),
                        () -> JsonExchange.send(
                                log ? replay(question, type, body) : trial(question, body), response, done));
            }

            @Override
            public void tooLong() {
                JsonExchange.send(
                        turn
                                ? Answer.problem(
                                        413,
                                        "longer than " + longest
                                                + " bytes; compress it with gzip, shorten it, or use './sluice replay'")
                                : Answer.problem(503, BUSY),
                        response,
                        done);
            }

            @Override
            public void failed(Throwable why) {
                done.failed(why);
            }
        });
    }

    private Answer replay(Question question, @Nullable String type, byte[] body) {
        try {
            return answers.replay(question, type, body);
        } catch (Question.Wrong e) {
            return Answer.problem(e.status, String.valueOf(e.getMessage()));
        }
    }

    private Answer trial(Question question, byte[] body) {
        try {
            return answers.trial(question, body);
        } catch (Question.Wrong e) {
            return Answer.problem(e.status, String.valueOf(e.getMessage()));
        }
    }
}
