package io.sluice.contract.policy;

/**
 * Text to be found in other text in time linear in both, whatever they hold: Knuth, Morris and Pratt, "Fast pattern
 * matching in strings", 1977. {@link String#indexOf(String)} takes the product of both lengths for hostile text.
 */
final class Needle {
    private final String text;
    private final int[] border;

    Needle(String text) {
        this.text = text;
        this.border = new int[text.length()];
        int length = 0;
        for (int i = 1; i < border.length; i++) {
            length = longer(length, text.charAt(i));
            border[i] = length;
        }
    }

    /** Where the first occurrence within the range ends, or −1. */
    int endIn(String value, int from, int to) {
        int length = 0;
        for (int i = from; i < to; i++) {
            length = longer(length, value.charAt(i));
            if (length == text.length()) {
                return i + 1;
            }
        }
        return -1;
    }

    /** The longest prefix that still matches once {@code next} is read behind a prefix of this length. */
    private int longer(int length, char next) {
        int longest = length;
        while (longest > 0 && text.charAt(longest) != next) {
            longest = border[longest - 1];
        }
        return text.charAt(longest) == next ? longest + 1 : 0;
    }
}
