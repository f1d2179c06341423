package io.sluice.contract.json;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A document as a tree that remembers where each part stands, whatever syntax it was written in. Immutable.
 */
public sealed interface Node {

    Place place();

    /** Kind of the value, for error messages: {@code text}, {@code a list}… */
    String kind();

    /**
     * A single value.
     *
     * @param text the value's spelling: for {@link Type#NUMBER} a JSON number, for {@link Type#TRUTH} {@code true} or
     *     {@code false}, for {@link Type#NOTHING} empty
     */
    record Scalar(Place place, Type type, String text) implements Node {

        /** Text of the value as it was written. */
        public enum Type {
            TEXT,
            NUMBER,
            TRUTH,
            NOTHING
        }

        public static Scalar text(Place place, String text) {
            return new Scalar(place, Type.TEXT, text);
        }

        @Override
        public String kind() {
            return type == Type.NOTHING ? "nothing" : "a value";
        }
    }

    /** Values in order. */
    record Listing(Place place, List<Node> items) implements Node {
        public Listing {
            items = List.copyOf(items);
        }

        @Override
        public String kind() {
            return "a list";
        }
    }

    /** Values by key, in the order they were written; no key stands twice. */
    record Mapping(Place place, List<Entry> entries) implements Node {
        public Mapping {
            entries = List.copyOf(entries);
            Set<String> keys = new HashSet<>();
            for (Entry entry : entries) {
                if (!keys.add(entry.key())) {
                    throw new IllegalArgumentException("key stands twice: " + entry.key());
                }
            }
        }

        /** The value of this key, or {@code null}. */
        public @Nullable Node value(String key) {
            for (Entry entry : entries) {
                if (entry.key().equals(key)) {
                    return entry.value();
                }
            }
            return null;
        }

        @Override
        public String kind() {
            return "a mapping";
        }
    }

    /**
     * A key with its value.
     *
     * @param place where the key stands
     */
    record Entry(String key, Place place, Node value) {}
}
