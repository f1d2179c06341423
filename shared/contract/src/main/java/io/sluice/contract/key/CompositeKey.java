package io.sluice.contract.key;

import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.JsonStrings;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.json.Node;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Keys made of several strings, as minimal JSON arrays: {@code ["checkout","acme"]}. No white space, raw UTF-8, only the
 * mandatory escapes, so each list has exactly one spelling and no two lists share one: a separator could be forged by a
 * caller, and two spellings would be two keys for a compacted topic.
 */
public final class CompositeKey {
    /**
     * Orders lists of strings element by element; of two that begin alike the shorter comes first. In a sorted map names that clients chose cost the
     * same whatever their hashes.
     */
    public static final Comparator<List<String>> ORDER = CompositeKey::compare;

    private CompositeKey() {}

    private static int compare(List<String> one, List<String> other) {
        int both = Math.min(one.size(), other.size());
        for (int i = 0; i < both; i++) {
            int order = one.get(i).compareTo(other.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.size(), other.size());
    }

    /** The key of these elements as the broker stores it. */
    public static byte[] bytes(List<String> elements) {
        return text(elements).getBytes(StandardCharsets.UTF_8);
    }

    /** The key of these elements as text. */
    public static String text(List<String> elements) {
        StringBuilder text = new StringBuilder(16 * elements.size() + 2).append('[');
        for (int i = 0; i < elements.size(); i++) {
            if (i > 0) {
                text.append(',');
            }
            JsonStrings.quote(elements.get(i), text);
        }
        return text.append(']').toString();
    }

    /**
     * The elements of a key.
     *
     * @throws MalformedRecord when it is anything but a minimal JSON array of strings
     */
    public static List<String> read(byte[] key) throws MalformedRecord {
        if (!(JsonNodes.read(key, "key") instanceof Node.Listing listing)) {
            throw new MalformedRecord("key: not a JSON array");
        }
        List<String> elements = new ArrayList<>(listing.items().size());
        for (Node item : listing.items()) {
            if (item instanceof Node.Scalar scalar && scalar.type() == Node.Scalar.Type.TEXT) {
                elements.add(scalar.text());
            } else {
                throw new MalformedRecord("key: element " + elements.size() + " is not a string");
            }
        }
        if (!Arrays.equals(key, bytes(elements))) {
            throw new MalformedRecord("key: not in its minimal form (white space or needless escapes)");
        }
        return List.copyOf(elements);
    }
}
