package io.sluice.analyzer.api;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers {@code /api/v1/session} and the links below it, without waiting for anything. Thread-safe. */
final class SessionEndpoint {
    private final ApiGuard guard;
    private final SignIn signIn;

    SessionEndpoint(ApiGuard guard, SignIn signIn) {
        this.guard = guard;
        this.signIn = signIn;
    }

    /** Answers with the user of a request, or starts or ends a session. The guard has allowed its address. */
    void answer(Request request, Response response, Callback callback) {
        switch (request.getMethod()) {
            case "GET" ->
                JsonExchange.send(
                        signIn.state(guard.admit(ApiGuard.RequestHead.of(request)), seconds()), response, callback);
            case "DELETE" -> send(signIn.end(), response, callback);
            default ->
                JsonExchange.read(
                        request,
                        response,
                        callback,
                        SignIn.LONGEST_BODY,
                        body -> send(signIn.start(body, seconds()), response, callback));
        }
    }

    /** Answers with a code that signs a browser in as this user. */
    void link(User user, Response response, Callback callback) {
        JsonExchange.send(signIn.link(user, seconds()), response, callback);
    }

    private static void send(SignIn.Result result, Response response, Callback callback) {
        if (result.cookie() != null) {
            response.getHeaders().put(HttpHeader.SET_COOKIE, result.cookie());
        }
        JsonExchange.send(result.answer(), response, callback);
    }

    private static long seconds() {
        return System.currentTimeMillis() / 1000;
    }
}
