package io.sluice.contract.event;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A field of a request event. */
public enum Field {
    TIME,
    CALLER,
    SERVICE,
    ROUTE,
    METHOD,
    IP,
    STATUS,
    BYTES,
    MILLIS,
    COST,
    AGENT,
    OUTCOME,
    COUNT,
    IDENTITY,
    LABELS;

    private static final Map<String, Field> BY_SPELLING =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(Field::spelling, field -> field));
    private final String spelling = name().toLowerCase(Locale.ROOT);

    /** The field that is spelt so, or {@code null}. */
    public static @Nullable Field spelt(String spelling) {
        return BY_SPELLING.get(spelling);
    }

    /** Its name in JSON, such as {@code caller}. */
    public String spelling() {
        return spelling;
    }
}
