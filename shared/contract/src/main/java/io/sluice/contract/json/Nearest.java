package io.sluice.contract.json;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds what somebody may have meant. */
public final class Nearest {
    private static final int MAX_LENGTH = 64;

    private Nearest() {}

    /** The word that takes the fewest edits (a third of its letters at most), or {@code null} when none is near. */
    public static @Nullable String to(String found, Collection<String> words) {
        if (found.length() > MAX_LENGTH) {
            return null;
        }
        String best = null;
        int least = Integer.MAX_VALUE;
        for (String word : words) {
            int edits = edits(found.toLowerCase(Locale.ROOT), word.toLowerCase(Locale.ROOT));
            if (edits < least && edits <= Math.max(1, Math.max(word.length(), found.length()) / 3)) {
                best = word;
                least = edits;
            }
        }
        return best;
    }

    /** Levenshtein distance, one row at a time. */
    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int swap = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(swap, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
