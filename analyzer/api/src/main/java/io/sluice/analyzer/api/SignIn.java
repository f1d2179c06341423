package io.sluice.analyzer.api;

import io.sluice.contract.json.MalformedRecord;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Starts and ends sessions of browsers at {@code /api/v1/session}. {@link ApiGuard} has checked Host and Origin. Thread-safe. */
final class SignIn {
    static final String PATH = "/api/v1/session";
    /** Of a request, in bytes. */
    static final int LONGEST_BODY = 4_096;

    private final byte @Nullable [] token;
    private final boolean secure;

    /** @param cookie the value of {@code Set-Cookie}; {@code null} for none */
    record Result(Answer answer, @Nullable String cookie) {}

    /**
     * @param token {@code null} where none is needed
     * @param secure whether the server has TLS
     */
    SignIn(@Nullable String token, boolean secure) {
        this.token = token == null ? null : token.getBytes(StandardCharsets.UTF_8);
        this.secure = secure;
    }

    /** Answers whether a client has access, and whether that takes the token. */
    Answer state(boolean signedIn) {
        return Answer.ok(to -> {
            to.writeBooleanField("signedIn", signedIn);
            to.writeBooleanField("tokenNeeded", token != null);
        });
    }

    /** Ends the session of the browser. */
    Result end() {
        return new Result(Answer.ok(to -> to.writeBooleanField("signedIn", false)), Session.end(secure));
    }

    /**
     * Starts a session.
     *
     * @param body {@code {"token": "…"}}
     * @param now seconds since the epoch
     */
    Result start(byte[] body, long now) {
        if (token == null) {
            return refused(404, "no token is needed here: http.token-file is not set");
        }
        String given;
        try {
            given = Tree.text(Tree.of(body), "token");
        } catch (MalformedRecord e) {
            return refused(400, String.valueOf(e.getMessage()));
        }
        if (!MessageDigest.isEqual(token, given.strip().getBytes(StandardCharsets.UTF_8))) {
            return refused(401, "the token is wrong; it is in the file that http.token-file names");
        }
        return new Result(Answer.ok(to -> to.writeBooleanField("signedIn", true)), Session.start(token, now, secure));
    }

    private static Result refused(int status, String message) {
        return new Result(Answer.problem(status, message), null);
    }
}
