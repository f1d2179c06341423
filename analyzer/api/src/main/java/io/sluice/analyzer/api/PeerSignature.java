package io.sluice.analyzer.api;

import io.sluice.analyzer.notify.Signature;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The {@code Authorization} with which one instance asks another: an HMAC-SHA256 of the time, the address and the question under
 * the common token. Addresses come from the consumer group, so the token itself is never sent to one. A signature is accepted
 * by the instance at that address alone, for that question, within {@value #TOLERANCE_SECONDS} seconds.
 */
final class PeerSignature {
    static final long TOLERANCE_SECONDS = 60;

    private static final String SCHEME = "Sluice-Peer ";
    private static final Pattern FORM = Pattern.compile(SCHEME + "(\\d{1,12}) (sha256=[0-9a-f]{64})");

    private PeerSignature() {}

    /**
     * Returns the value of the header.
     *
     * @param address of the instance that is asked, HOST:PORT
     * @param target path and query as they are sent
     * @param seconds since the epoch
     */
    static String of(byte[] token, String address, String target, long seconds) {
        return SCHEME + seconds + " " + digest(token, address, target, seconds);
    }

    /** Returns whether an {@code Authorization} claims to be of another instance. */
    static boolean claimed(String authorization) {
        return authorization.startsWith(SCHEME);
    }

    /**
     * Returns why a header is refused; nothing when it fits.
     *
     * @param own the address under which the other instances know this one, HOST:PORT
     * @param now seconds since the epoch
     */
    static Optional<String> problem(String authorization, byte[] token, String own, String target, long now) {
        Matcher header = FORM.matcher(authorization);
        if (!header.matches()) {
            return Optional.of("a malformed signature of another instance");
        }
        long seconds = Long.parseLong(header.group(1));
        byte[] expected = digest(token, own, target, seconds).getBytes(StandardCharsets.US_ASCII);
        if (!MessageDigest.isEqual(expected, header.group(2).getBytes(StandardCharsets.US_ASCII))) {
            return Optional.of("the signature of another instance does not fit: all need the same http.token-file");
        }
        return Math.abs(now - seconds) <= TOLERANCE_SECONDS
                ? Optional.empty()
                : Optional.of("the signature of another instance is " + Math.abs(now - seconds) + " s off, allowed are "
                        + TOLERANCE_SECONDS + " s: set the clocks of both machines");
    }

    private static String digest(byte[] token, String address, String target, long seconds) {
        return Signature.of(token, seconds, (address + "\n" + target).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns path and query of an address as they are sent. */
    static String target(URI uri) {
        return uri.getRawQuery() == null
                ? String.valueOf(uri.getRawPath())
                : uri.getRawPath() + "?" + uri.getRawQuery();
    }
}
