package io.sluice.contract.event;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The one place where what a client wrote is cut to a bounded text, for both sides: a class that implements
 * {@link RequestAttributes} passes every value through here, or its subjects would differ from those of the analyzer.
 *
 * <p>Text of up to 128 bytes of UTF-8 (a route: 512) stays as it is. Longer text becomes its first 64 characters at most,
 * {@code …}, and 16 hexadecimal digits of the SHA-256 of the whole: still different for different text, and readable.
 * Doing it twice changes nothing. A surrogate without its other half, which UTF-8 can't hold, becomes U+FFFD.
 */
public final class AttributeText {
    /** The longest value of an attribute in bytes of UTF-8. */
    public static final int MAX_BYTES = 128;

    /** The longest route in bytes of UTF-8. */
    public static final int MAX_ROUTE_BYTES = 512;

    private static final int PREFIX_CHARS = 64;
    private static final int DIGEST_BYTES = 8;
    private static final String ELLIPSIS = "…";
    private static final int SUFFIX_BYTES = 3 + 2 * DIGEST_BYTES;
    private static final char REPLACEMENT = '\uFFFD';

    private AttributeText() {}

    /** A caller, service, method, label or agent id, bounded. */
    public static String bounded(String text) {
        return bounded(text, MAX_BYTES);
    }

    /** A normalised route, bounded. */
    public static String boundedRoute(String route) {
        return bounded(route, MAX_ROUTE_BYTES);
    }

    private static String bounded(String text, int maxBytes) {
        // the common case costs one look at each character
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                return abbreviated(wellFormed(text), maxBytes);
            }
            bytes += bytes(c);
        }
        return bytes <= maxBytes ? text : abbreviated(text, maxBytes);
    }

    private static String abbreviated(String text, int maxBytes) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (utf8.length <= maxBytes) {
            return text;
        }
        int end = 0;
        int bytes = 0;
        while (end < PREFIX_CHARS) {
            int codePoint = text.codePointAt(end);
            int more = Character.charCount(codePoint);
            bytes += more == 2 ? 4 : bytes((char) codePoint);
            if (end + more > PREFIX_CHARS || bytes > maxBytes - SUFFIX_BYTES) {
                break;
            }
            end += more;
        }
        return text.substring(0, end) + ELLIPSIS + HexFormat.of().formatHex(sha256(utf8), 0, DIGEST_BYTES);
    }

    private static int bytes(char c) {
        return c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
    }

    private static String wellFormed(String text) {
        StringBuilder whole = new StringBuilder(text);
        for (int i = 0; i < whole.length(); i++) {
            char c = whole.charAt(i);
            if (Character.isHighSurrogate(c)
                    && i + 1 < whole.length()
                    && Character.isLowSurrogate(whole.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                whole.setCharAt(i, REPLACEMENT);
            }
        }
        return whole.toString();
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
