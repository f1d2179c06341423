package io.sluice.analyzer.api;

import io.sluice.analyzer.notify.Signature;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/**
 * The cookie of a browser that has signed in. It holds its end and an HMAC-SHA-256 made with the token, never the token itself, so no instance
 * stores sessions and all instances with the same token accept it. A new token ends all sessions. Thread-safe.
 */
final class Session {
    static final String COOKIE = "sluice-session";
    static final long SECONDS = 12 * 3_600;

    private static final Pattern VALUE = Pattern.compile("([0-9]{1,12})\\.(sha256=[0-9a-f]{64})");
    /** Has no line break, so it can't be mistaken for what other instances sign. */
    private static final byte[] PURPOSE = "dashboard session".getBytes(StandardCharsets.UTF_8);

    private Session() {}

    /**
     * Returns the value of {@code Set-Cookie} that starts a session.
     *
     * @param now seconds since the epoch
     * @param secure whether the browser may send it over TLS only
     */
    static String start(byte[] token, long now, boolean secure) {
        long end = now + SECONDS;
        return cookie(end + "." + Signature.of(token, end, PURPOSE), SECONDS, secure);
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
     * Returns whether a request has a valid session.
     *
     * @param now seconds since the epoch
     */
    static boolean valid(HttpFields headers, byte[] token, long now) {
        for (String header : headers.getValuesList(HttpHeader.COOKIE)) {
            for (String pair : header.split(";", -1)) {
                String cookie = pair.strip();
                if (cookie.startsWith(COOKIE + "=") && signed(cookie.substring(COOKIE.length() + 1), token, now)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean signed(String value, byte[] token, long now) {
        Matcher parts = VALUE.matcher(value);
        if (!parts.matches()) {
            return false;
        }
        long end = Long.parseLong(parts.group(1));
        return now < end
                && MessageDigest.isEqual(
                        Signature.of(token, end, PURPOSE).getBytes(StandardCharsets.US_ASCII),
                        parts.group(2).getBytes(StandardCharsets.US_ASCII));
    }
}
