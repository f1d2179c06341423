package io.sluice.analyzer.api;

import io.sluice.analyzer.notify.Signature;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/**
 * The cookie of a browser that has signed in. It holds its end, the user's name and an HMAC-SHA-256 made with the common token, never a token itself,
 * so no instance stores sessions and all instances with the same files accept it. A new token or role of the user ends the session. Thread-safe.
 */
final class Session {
    static final String COOKIE = "sluice-session";
    static final long SECONDS = 12 * 3_600;

    /** The header in which a page proves that it has read an answer of this address: CSRF token. */
    static final String PROOF = "X-Sluice-CSRF";

    private static final Pattern VALUE =
            Pattern.compile("([0-9]{1,12})\\.([A-Za-z0-9._@+-]{0,64})\\.(sha256=[0-9a-f]{64})");
    private static final Pattern PROOF_VALUE = Pattern.compile("([0-9]{1,12})\\.(sha256=[0-9a-f]{64})");

    private Session() {}

    /**
     * Returns the value of {@code Set-Cookie} that starts a session.
     *
     * @param key the common token
     * @param now seconds since the epoch
     * @param secure whether the browser may send it over TLS only
     */
    static String start(byte[] key, Users.Entry user, long now, boolean secure) {
        long end = now + SECONDS;
        String signature = Signature.of(key, end, purpose("session", user.user().name(), user.fingerprint()));
        return cookie(end + "." + user.user().name() + "." + signature, SECONDS, secure);
    }

    /** Returns the value of {@code Set-Cookie} that ends a session. */
    static String end(boolean secure) {
        return cookie("", 0, secure);
    }

    private static String cookie(String value, long seconds, boolean secure) {
        return COOKIE + "=" + value + "; Max-Age=" + seconds + "; Path=/; HttpOnly; SameSite=Strict"
                + (secure ? "; Secure" : "");
    }

    /**
     * Returns the user of a request's session, empty where it has no valid one.
     *
     * @param now seconds since the epoch
     */
    static Optional<User> user(HttpFields headers, byte[] key, Users users, long now) {
        for (String header : headers.getValuesList(HttpHeader.COOKIE)) {
            for (String pair : header.split(";", -1)) {
                String cookie = pair.strip();
                if (cookie.startsWith(COOKIE + "=")) {
                    Optional<User> user = signed(cookie.substring(COOKIE.length() + 1), key, users, now);
                    if (user.isPresent()) {
                        return user;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<User> signed(String value, byte[] key, Users users, long now) {
        Matcher parts = VALUE.matcher(value);
        if (!parts.matches()) {
            return Optional.empty();
        }
        long end = Long.parseLong(parts.group(1));
        return users.byName(parts.group(2))
                .filter(user -> now < end
                        && equal(
                                Signature.of(
                                        key, end, purpose("session", user.user().name(), user.fingerprint())),
                                parts.group(3)))
                .map(Users.Entry::user);
    }

    /** Returns the CSRF token of a user's pages, which is valid as long as a new session. */
    static String proof(byte[] key, User user, long now) {
        long end = now + SECONDS;
        return end + "."
                + Signature.of(
                        key, end, purpose("csrf", user.name(), user.role().spelling()));
    }

    /** Returns whether a CSRF token was made for this user, and has not ended. */
    static boolean proves(@Nullable String proof, byte[] key, User user, long now) {
        Matcher parts = PROOF_VALUE.matcher(proof == null ? "" : proof);
        if (!parts.matches()) {
            return false;
        }
        long end = Long.parseLong(parts.group(1));
        return now < end
                && equal(
                        Signature.of(
                                key,
                                end,
                                purpose("csrf", user.name(), user.role().spelling())),
                        parts.group(2));
    }

    /** Has no line break, so it can't be mistaken for what other instances sign. */
    private static byte[] purpose(String what, String name, String more) {
        return ("dashboard " + what + " " + name + " " + more).getBytes(StandardCharsets.UTF_8);
    }

    private static boolean equal(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
    }
}
