package io.sluice.contract.key;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads composite keys of ASCII without escapes, as nearly all are, in one pass and without a parser. */
final class PlainKey {
    private PlainKey() {}

    /** The elements, or none when it is not that plain: then a parser finds out what it is. */
    static List<String> read(byte[] key) {
        int end = key.length - 1;
        if (end < 1 || key[0] != '[' || key[end] != ']') {
            return List.of();
        }
        List<String> elements = new ArrayList<>(4);
        int at = 1;
        while (at < end && key[at] == '"') {
            int from = at + 1;
            at = from;
            while (at < end && plain(key[at])) {
                at++;
            }
            if (key[at] != '"') {
                return List.of();
            }
            elements.add(new String(key, from, at - from, StandardCharsets.ISO_8859_1));
            at++;
            if (at == end) {
                return List.copyOf(elements);
            }
            if (key[at] != ',') {
                return List.of();
            }
            at++;
        }
        return List.of();
    }

    /** Neither quote nor backslash, no control character and nothing beyond ASCII. */
    private static boolean plain(byte b) {
        return b >= ' ' && b != '"' && b != '\\';
    }
}
