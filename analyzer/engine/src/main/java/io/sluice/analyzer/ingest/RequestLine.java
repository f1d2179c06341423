package io.sluice.analyzer.ingest;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * First line of a client's request: {@code GET /orders?page=2 HTTP/1.1}. Where it sent something else, such as the first bytes of
 * TLS, method and path are unknown.
 */
record RequestLine(@Nullable String method, @Nullable String path) {
    static final RequestLine UNKNOWN = new RequestLine(null, null);

    private static final int MAX_METHOD = 20;

    static RequestLine of(String line) {
        int space = line.indexOf(' ');
        String method = space < 0 ? null : method(line.substring(0, space));
        if (method == null) {
            return UNKNOWN;
        }
        // a path should hold no space, but clients send them
        int last = line.lastIndexOf(' ');
        boolean versioned = last > space && line.startsWith("HTTP/", last + 1);
        String path = line.substring(space + 1, versioned ? last : line.length());
        return new RequestLine(method, path.isEmpty() ? null : path);
    }

    /** A method in capitals, or {@code null} when the text is none. */
    static @Nullable String method(@Nullable String text) {
        if (text == null || text.isEmpty() || text.length() > MAX_METHOD) {
            return null;
        }
        boolean capitals = true;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean small = c >= 'a' && c <= 'z';
            if (!small && (c < 'A' || c > 'Z') && c != '-' && c != '_') {
                return null;
            }
            capitals &= !small;
        }
        return capitals ? text : text.toUpperCase(Locale.ROOT);
    }
}
