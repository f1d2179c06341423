package io.sluice.contract.event;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Returns one {@link String} for texts that come again and again, such as services and busy callers. A table of {@value #TEXTS} texts of at most
 * {@value #LONGEST} characters, some 260 KB when it is full: a text replaces the one in its place, and each text has one place, so names that
 * are chosen to collide cost no more than others. Not thread-safe.
 */
final class RepeatedTexts {
    private static final int TEXTS = 2048;
    private static final int LONGEST = 64;
    private static final int SCATTER = 0x9E3779B1;
    private static final int SHIFT = Integer.SIZE - Integer.numberOfTrailingZeros(TEXTS);

    private final @Nullable String[] texts = new String[TEXTS];
    /** The texts' hashes, compared first: to read a text that differs would miss the processor's cache. */
    private final int[] hashes = new int[TEXTS];

    /**
     * Returns the text of ASCII bytes.
     *
     * @param hash of the bytes, as {@link String#hashCode} of the text
     */
    String of(byte[] bytes, int from, int to, int hash) {
        if (to - from > LONGEST) {
            return text(bytes, from, to);
        }
        int place = (hash * SCATTER) >>> SHIFT;
        String known = texts[place];
        if (known != null && hashes[place] == hash && equal(known, bytes, from, to)) {
            return known;
        }
        String text = text(bytes, from, to);
        texts[place] = text;
        hashes[place] = hash;
        return text;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static boolean equal(String text, byte[] bytes, int from, int to) {
        if (text.length() != to - from) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) != bytes[from + i]) {
                return false;
            }
        }
        return true;
    }
}
