package io.sluice.contract.event;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Decision of the gate about a request. */
public enum Outcome {
    ALLOWED,
    LOCKED,
    LIMITED;

    private static final Map<String, Outcome> BY_SPELLING =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(Outcome::spelling, value -> value));
    private final String spelling = name().toLowerCase(Locale.ROOT);

    /** The outcome that is spelt so, or {@code null}. */
    public static @Nullable Outcome spelt(String spelling) {
        return BY_SPELLING.get(spelling);
    }

    /** Its name in records and settings, such as {@code limited}. */
    public String spelling() {
        return spelling;
    }

    /** Returns whether the gate turned the request away. */
    public boolean rejected() {
        return this != ALLOWED;
    }
}
