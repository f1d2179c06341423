package io.sluice.contract.event;

import java.util.ArrayList;
import java.util.List;

/**
 * Turns a request's path into its route: the few names that a service's many paths share, such as
 * {@code /orders/{id}}. Templates are tried first, in their order; then ids, UUIDs, hashes and numbers become
 * {@code {id}}. Immutable.
 */
public final class RouteNormalizer {
    // What follows is written by clients: a path may be long, but never a route.
    private static final int MAX_PATH = 2048;
    private static final int MAX_SEGMENTS = 12;
    private static final String REST = "*";

    private final RouteTemplate[] templates;

    /**
     * Tries these before it normalizes.
     *
     * @param templates such as {@code /orders/{order}/items/{item}} or {@code /static/*}
     * @throws IllegalArgumentException when one is not a template
     */
    public RouteNormalizer(List<String> templates) {
        this.templates = templates.stream().map(RouteTemplate::new).toArray(RouteTemplate[]::new);
    }

    /**
     * The route of a path. Query, fragment, scheme and host, path parameters ({@code ;jsessionid=…}), empty segments and
     * dot segments are dropped and escaped letters are read first (RFC 3986 section 6.2.2), so that one resource can't be
     * given many names.
     *
     * @return begins with {@code /}, except for {@code *}; at most 12 segments, then {@code *}
     */
    public String normalize(String path) {
        if (path.equals("*")) {
            return path;
        }
        List<String> segments = segments(path);
        boolean cut = segments.size() > MAX_SEGMENTS;
        for (RouteTemplate template : templates) {
            if (template.matches(segments)) {
                return template.toString();
            }
        }
        if (segments.isEmpty()) {
            return "/";
        }
        StringBuilder route = new StringBuilder(path.length());
        for (String segment : cut ? segments.subList(0, MAX_SEGMENTS) : segments) {
            route.append('/').append(PathSegment.isId(segment) ? "{id}" : segment);
        }
        return cut ? route.append('/').append(REST).toString() : route.toString();
    }

    private static List<String> segments(String path) {
        int from = pathStart(path);
        int to = Math.min(pathEnd(path, from), from + MAX_PATH);
        List<String> segments = new ArrayList<>();
        int at = from;
        while (at < to) {
            int slash = path.indexOf('/', at);
            int end = slash < 0 || slash > to ? to : slash;
            String segment = PathSegment.decoded(path, at, end);
            if (segment.equals("..")) {
                if (!segments.isEmpty()) {
                    segments.remove(segments.size() - 1);
                }
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                segments.add(segment);
            }
            at = end + 1;
        }
        return segments;
    }

    /** Behind scheme and host, which a request line in absolute form has. */
    private static int pathStart(String path) {
        if (path.startsWith("/") || path.length() > MAX_PATH) {
            return 0;
        }
        int host = path.indexOf("://");
        if (host < 0 || host > 5) {
            return 0;
        }
        int slash = path.indexOf('/', host + 3);
        return slash < 0 ? path.length() : slash;
    }

    private static int pathEnd(String path, int from) {
        for (int i = from; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '?' || c == '#') {
                return i;
            }
        }
        return path.length();
    }
}
