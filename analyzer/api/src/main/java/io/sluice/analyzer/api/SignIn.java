package io.sluice.analyzer.api;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts and ends sessions of browsers at {@code /api/v1/session}. {@link ApiGuard} has checked Host and Origin. Thread-safe. */
final class SignIn {
    static final String PATH = "/api/v1/session";
    /** Of a request, in bytes. */
    static final int LONGEST_BODY = 4_096;

    private final byte @Nullable [] key;
    private final Users users;
    private final boolean secure;
    private final boolean writes;
    private final SignInLinks links = new SignInLinks();

    /** @param cookie the value of {@code Set-Cookie}; {@code null} for none */
    record Result(Answer answer, @Nullable String cookie) {}

    /**
     * @param token the common token, {@code null} where none is needed
     * @param secure whether the server has TLS
     * @param writes whether users may change anything
     */
    SignIn(@Nullable String token, Users users, boolean secure, boolean writes) {
        key = token == null ? null : token.getBytes(StandardCharsets.UTF_8);
        this.users = users;
        this.secure = secure;
        this.writes = writes && token != null;
    }

    /**
     * Answers whether a client has access, and what it may do.
     *
     * @param now seconds since the epoch
     */
    Answer state(ApiGuard.Admission admission, long now) {
        User user = admission.user();
        ApiGuard.Refusal refusal = admission.refusal();
        return Answer.ok(to -> {
            to.writeBooleanField("signedIn", user != null);
            to.writeBooleanField("tokenNeeded", key != null);
            if (user == null) {
                to.writeStringField("reason", refusal == null ? "" : refusal.message());
                return;
            }
            to.writeStringField("user", user.name());
            to.writeStringField("role", user.role().spelling());
            to.writeBooleanField("writes", writes);
            if (key != null) {
                to.writeStringField("csrf", Session.proof(key, user, now));
            }
        });
    }

    /** Ends the session of the browser. */
    Result end() {
        return new Result(Answer.ok(to -> to.writeBooleanField("signedIn", false)), Session.end(secure));
    }

    /** Answers with a code that signs a browser in as the same user. Users of a proxy get none: sessions are for {@link Users}. */
    Answer link(User user, long now) {
        if (key == null || user.proxied()) {
            return Answer.problem(
                    404, key == null ? "no sign-in is needed here" : "a proxy signs " + user.name() + " in");
        }
        return new Answer(201, Answer.text(to -> {
            to.writeStartObject();
            to.writeStringField("code", links.create(user.name(), now));
            to.writeNumberField("seconds", SignInLinks.SECONDS);
            to.writeEndObject();
        }));
    }

    /**
     * Starts a session.
     *
     * @param body {@code {"token": "…"}}, or {@code {"code": "…"}} of a link
     * @param now seconds since the epoch
     */
    Result start(byte[] body, long now) {
        if (key == null) {
            return refused(404, "no token is needed here: http.token-file is not set");
        }
        Node.Mapping given;
        try {
            given = Tree.of(body);
        } catch (MalformedRecord e) {
            return refused(400, String.valueOf(e.getMessage()));
        }
        String code = Tree.text(given, "code");
        Optional<Users.Entry> user = code.isEmpty()
                ? users.byToken(Tree.text(given, "token").strip())
                : links.use(code, now).flatMap(users::byName);
        if (user.isEmpty()) {
            return refused(
                    401,
                    code.isEmpty()
                            ? "the token is wrong; it is in the file that http.token-file or http.users-file names"
                            : "the link is used, or older than " + SignInLinks.SECONDS
                                    + " s; './sluice dashboard' makes a new one");
        }
        return new Result(
                Answer.ok(to -> to.writeBooleanField("signedIn", true)), Session.start(key, user.get(), now, secure));
    }

    private static Result refused(int status, String message) {
        return new Result(Answer.problem(status, message), null);
    }
}
