package io.sluice.analyzer;

import java.util.Locale;

/** Counts with their nouns, for people: {@code 1 caller}, {@code 1,200 callers}. */
public final class Plural {
    private Plural() {}

    /** A count of a noun whose plural ends in s. */
    public static String of(long count, String noun) {
        return of(count, noun, noun + "s");
    }

    /** A count of a noun with another plural. */
    public static String of(long count, String one, String many) {
        return String.format(Locale.ROOT, "%,d ", count) + (count == 1 ? one : many);
    }
}
