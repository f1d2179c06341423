package io.sluice.contract.policy;

import io.sluice.contract.json.Nearest;
import io.sluice.contract.json.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A mapping whose fields are read one by one, with the way to it and the problems met. */
final class Fields {
    private final Node.Mapping mapping;
    private final String path;
    private final Problems problems;

    Fields(Node.Mapping mapping, String path, Problems problems) {
        this.mapping = mapping;
        this.path = path;
        this.problems = problems;
    }

    Node.Mapping mapping() {
        return mapping;
    }

    Problems problems() {
        return problems;
    }

    /** The way to a field. */
    String path(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    boolean has(String key) {
        return mapping.value(key) != null;
    }

    /** Refuses keys that are none of these, naming the nearest. */
    void allow(List<String> keys) {
        for (Node.Entry entry : mapping.entries()) {
            if (!keys.contains(entry.key()) && !problems.lenient()) {
                problems.add(entry.place(), path(entry.key()), unknown(entry.key(), keys));
            }
        }
    }

    static String unknown(String key, List<String> keys) {
        String nearest = Nearest.to(key, keys);
        return "unknown key " + Problems.quoted(key)
                + (nearest == null ? "" : " (did you mean " + nearest + "?)")
                + "; allowed: " + String.join(", ", keys);
    }

    /** Complains of a field. */
    void wrong(String key, String message) {
        Node node = mapping.value(key);
        if (node instanceof Node.Scalar) {
            problems.add(node, path(key), Problems.found(node) + ", " + message);
        } else {
            problems.add(node == null ? mapping : node, path(key), message);
        }
    }

    /** Complains of the mapping as a whole. */
    void wrong(String message) {
        problems.add(mapping, path, message);
    }

    /** Complains of a field that is not there. */
    void missing(String key, String allowed) {
        problems.add(mapping, path(key), "missing; " + allowed);
    }

    /** A single value, or {@code absent} when it is missing or wrong. */
    <T> T scalar(String key, T absent, Function<String, T> reader) {
        Node node = mapping.value(key);
        return node == null ? absent : scalar(node, path(key), absent, reader);
    }

    /** A single value that must be there. */
    <T> T required(String key, T absent, String allowed, Function<String, T> reader) {
        if (!has(key)) {
            missing(key, allowed);
        }
        return scalar(key, absent, reader);
    }

    <T> T scalar(Node node, String at, T absent, Function<String, T> reader) {
        try {
            String text = node instanceof Node.Scalar scalar ? scalar.text() : "";
            T value = reader.apply(text);
            if (node instanceof Node.Scalar) {
                return value;
            }
            problems.add(node, at, Problems.found(node) + ", allowed: a single value");
        } catch (IllegalArgumentException e) {
            problems.add(node, at, Problems.found(node) + ", " + e.getMessage());
        }
        return absent;
    }

    boolean truth(String key, boolean absent) {
        return scalar(key, absent, text -> {
            if (text.equals("true") || text.equals("false")) {
                return text.equals("true");
            }
            throw new IllegalArgumentException("allowed: true, false");
        });
    }

    /** A number within bounds. */
    double number(String key, double absent, double least, double most) {
        return scalar(key, absent, text -> {
            double value = Quantities.number(text);
            if (value < least || value > most) {
                throw new IllegalArgumentException("allowed: a number from " + Quantities.numberText(least) + " to "
                        + Quantities.numberText(most));
            }
            return value;
        });
    }

    /** A whole number within bounds. */
    long whole(String key, long absent, long least, long most) {
        return scalar(key, absent, text -> {
            if (text.matches("[0-9]{1,15}") && Long.parseLong(text) >= least && Long.parseLong(text) <= most) {
                return Long.parseLong(text);
            }
            throw new IllegalArgumentException(
                    least == most ? "allowed: " + least : "allowed: a whole number from " + least + " to " + most);
        });
    }

    /** A duration within bounds, in milliseconds. */
    long duration(String key, long absent, long least, long most) {
        return scalar(key, absent, text -> {
            long millis = Quantities.duration(text);
            if (millis < least || millis > most) {
                throw new IllegalArgumentException(
                        "allowed: from " + Quantities.durationText(least) + " to " + Quantities.durationText(most));
            }
            return millis;
        });
    }

    /** One of an enum's values, spelled in lower case with dashes. */
    <E extends Enum<E>> E choice(String key, E absent, List<E> allowed) {
        return scalar(key, absent, text -> {
            List<String> spelled = allowed.stream().map(Fields::spelling).toList();
            int index = spelled.indexOf(text);
            if (index < 0) {
                throw new IllegalArgumentException("allowed: " + String.join(", ", spelled));
            }
            return allowed.get(index);
        });
    }

    static String spelling(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The items of a list, or a value that stands for a list of one; {@code null} when the field is missing. */
    @Nullable
    List<Node> items(String key) {
        Node node = mapping.value(key);
        if (node == null) {
            return null;
        }
        return node instanceof Node.Listing listing ? listing.items() : List.of(node);
    }

    /** The way to an item of a list; a value that stands for a list has no index. */
    String itemPath(String key, int index) {
        return mapping.value(key) instanceof Node.Listing ? path(key) + "[" + index + "]" : path(key);
    }

    /** A mapping below this one, or {@code null} when it is missing or something else. */
    @Nullable
    Fields fields(String key) {
        Node node = mapping.value(key);
        return node == null ? null : fields(node, path(key));
    }

    /** A node as mapping, or {@code null} when it is something else. */
    @Nullable
    Fields fields(Node node, String at) {
        if (node instanceof Node.Mapping below) {
            return new Fields(below, at, problems);
        }
        problems.add(node, at, Problems.found(node) + ", allowed: a mapping");
        return null;
    }

    /** Each mapping of a list, read; anything else in it is a problem. */
    <T> List<T> each(String key, BiFunction<Fields, Integer, @Nullable T> reader) {
        Node node = mapping.value(key);
        List<T> read = new ArrayList<>();
        if (node instanceof Node.Listing listing) {
            for (int i = 0; i < listing.items().size(); i++) {
                Fields item = fields(listing.items().get(i), path(key) + "[" + i + "]");
                T value = item == null ? null : reader.apply(item, i);
                if (value != null) {
                    read.add(value);
                }
            }
        } else if (node != null) {
            problems.add(node, path(key), Problems.found(node) + ", allowed: a list");
        }
        return read;
    }
}
