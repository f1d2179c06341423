package io.sluice.contract.event;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How far a caller can be believed, strongest first. A claimed identity never causes a lock. */
public enum Identity {
    AUTHENTICATED,
    NETWORK,
    CLAIMED;

    private static final Map<String, Identity> BY_SPELLING =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(Identity::spelling, value -> value));
    private final String spelling = name().toLowerCase(Locale.ROOT);

    /** The identity that is spelt so, or {@code null}. */
    public static @Nullable Identity spelt(String spelling) {
        return BY_SPELLING.get(spelling);
    }

    /** Its name in records and settings, such as {@code network}. */
    public String spelling() {
        return spelling;
    }

    /** The weaker of the two. */
    public Identity weaker(Identity other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
