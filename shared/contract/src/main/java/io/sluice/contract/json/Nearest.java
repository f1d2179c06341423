package io.sluice.contract.json;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the word that a typing error was meant to be. */
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

    /** Optimal string alignment distance: insertions, deletions, substitutions and transpositions of neighbours count one each. */
    private static int edits(String a, String b) {
        int[][] distance = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            distance[i][0] = i;
        }
        for (int j = 0; j <= b.length(); j++) {
            distance[0][j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            for (int j = 1; j <= b.length(); j++) {
                int substitution = distance[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                int edits = Math.min(substitution, 1 + Math.min(distance[i - 1][j], distance[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    edits = Math.min(edits, distance[i - 2][j - 2] + 1);
                }
                distance[i][j] = edits;
            }
        }
        return distance[a.length()][b.length()];
    }
}
