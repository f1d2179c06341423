package io.sluice.contract.event;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Turns a request's path into its route: the few names that a service's many paths share, such as
 * {@code /orders/{id}}. Templates are tried first, in their order; then ids, UUIDs, hashes and numbers become
 * {@code {id}}. Immutable.
 */
public final class RouteNormalizer {
    // A client may write a long path, but never a long route.
    private static final int MAX_SEGMENTS = 12;
    private static final String REST = "*";

    private final RouteTemplate[] templates;
    /** Segments that templates and routes can tell apart; of deeper ones only the number counts. */
    private final int depth;

    /**
     * Tries these before it normalizes.
     *
     * @param templates such as {@code /orders/{order}/items/{item}} or {@code /static/*}
     * @throws IllegalArgumentException when one is not a template
     */
    public RouteNormalizer(List<String> templates) {
        this.templates = templates.stream().map(RouteTemplate::new).toArray(RouteTemplate[]::new);
        this.depth =
                1 + Stream.of(this.templates).mapToInt(RouteTemplate::depth).reduce(MAX_SEGMENTS, Math::max);
    }

    /**
     * The route of a path. Query, fragment, scheme and host, path parameters ({@code ;jsessionid=…}), empty segments and
     * dot segments are dropped and escaped characters that need no escape are read first (RFC 3986 section 6.2.2), so that one resource
     * can't be given many names. An escaped slash separates segments, as in servers that match decoded paths; where no template fits then, it is
     * part of its segment, as in servers that decode segments. The whole path is read, however long: a cut would let clients hide what follows. Time is linear in its
     * length, memory bounded.
     *
     * @return begins with {@code /}, except for {@code *}; at most 12 segments, then {@code *}
     */
    public String normalize(String path) {
        if (path.equals("*")) {
            return path;
        }
        boolean escapes = path.indexOf('%') >= 0;
        List<String> segments = segments(path, escapes);
        RouteTemplate template = template(segments);
        if (template == null && escapes && templates.length > 0) {
            template = template(segments(path, false));
        }
        if (template != null) {
            return template.toString();
        }
        boolean cut = segments.size() > MAX_SEGMENTS;
        if (segments.isEmpty()) {
            return "/";
        }
        StringBuilder route = new StringBuilder();
        for (String segment : cut ? segments.subList(0, MAX_SEGMENTS) : segments) {
            route.append('/').append(PathSegment.isId(segment) ? "{id}" : segment);
        }
        return cut ? route.append('/').append(REST).toString() : route.toString();
    }

    private @Nullable RouteTemplate template(List<String> segments) {
        for (RouteTemplate template : templates) {
            if (template.matches(segments)) {
                return template;
            }
        }
        return null;
    }

    /** Returns the first segments, at most {@link #depth}; escaped slashes separate them, or are part of them. */
    private List<String> segments(String path, boolean escapedSlashes) {
        int from = pathStart(path);
        int to = pathEnd(path, from);
        List<String> segments = new ArrayList<>();
        int deeper = 0;
        int at = from;
        while (at < to) {
            int end = escapedSlashes ? PathSegment.end(path, at, to) : slash(path, at, to);
            String segment = PathSegment.decoded(path, at, end);
            if (segment.equals("..")) {
                if (deeper > 0) {
                    deeper--;
                } else if (!segments.isEmpty()) {
                    segments.remove(segments.size() - 1);
                }
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                if (segments.size() == depth) {
                    deeper++;
                } else {
                    segments.add(segment);
                }
            }
            at = end + (end < to && path.charAt(end) == '%' ? 3 : 1);
        }
        return segments;
    }

    private static int slash(String path, int from, int to) {
        int slash = path.indexOf('/', from);
        return slash < 0 || slash > to ? to : slash;
    }

    /** Behind scheme and host, which a request line in absolute form has. */
    private static int pathStart(String path) {
        if (path.startsWith("/")) {
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
