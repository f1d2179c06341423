package io.sluice.analyzer.api;

import io.sluice.http.server.BoundedBody;
import io.sluice.http.server.Connections;
import io.sluice.http.server.Responses;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Reads bodies of requests and sends answers. */
final class JsonExchange {
    private JsonExchange() {}

    /** Reads a body of at most {@code longest} bytes, and gives it to a taker; sends 413 where it is longer. */
    static void read(Request request, Response response, Callback callback, int longest, Consumer<byte[]> then) {
        BoundedBody.read(request, longest, new BoundedBody.To() {
            @Override
            public void whole(byte[] body) {
                // the request is complete: the time from here on is ours
                Connections.alive(request);
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

    /** Returns a refusal that is an error of the API. */
    static Turns.Refusal refusal(Response response, Callback callback) {
        return (status, message) -> send(Answer.problem(status, message), response, callback);
    }

    /** Sends an answer, with the headers of its status. */
    static void send(Answer answer, Response response, Callback callback) {
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CACHE_CONTROL, "no-store");
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Content-Security-Policy", "default-src 'none'");
        if (answer.status() == 503) {
            headers.put(HttpHeader.RETRY_AFTER, "1");
        }
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
}
