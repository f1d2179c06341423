package io.sluice.contract.event;

import java.util.List;

/** A path with gaps: {@code {name}} stands for one segment, a last {@code *} for any rest, even none. */
final class RouteTemplate {
    private final String text;
    private final String[] segments;
    private final boolean open;

    RouteTemplate(String text) {
        if (!text.startsWith("/") || text.contains("//") || text.contains("?") || text.contains("#")) {
            throw new IllegalArgumentException("route template '" + text + "' must be a path such as /orders/{id}");
        }
        this.text = text;
        this.open = text.endsWith("/*");
        String fixed = open ? text.substring(0, text.length() - 2) : text;
        this.segments = fixed.length() < 2 ? new String[0] : fixed.substring(1).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            if (segments[i].matches("\\{[^{}]*}")) {
                segments[i] = "";
            } else if (segments[i].isEmpty() || segments[i].matches(".*[{}*].*")) {
                throw new IllegalArgumentException(
                        "route template '" + text + "': a segment is fixed or wholly {name}; * may only stand last");
            }
        }
    }

    /** The number of segments that it compares. */
    int depth() {
        return segments.length;
    }

    boolean matches(List<String> path) {
        if (path.size() < segments.length || (!open && path.size() > segments.length)) {
            return false;
        }
        for (int i = 0; i < segments.length; i++) {
            if (!segments[i].isEmpty() && !segments[i].equals(path.get(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return text;
    }
}
