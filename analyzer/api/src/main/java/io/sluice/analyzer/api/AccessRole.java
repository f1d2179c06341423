package io.sluice.analyzer.api;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What a user of the HTTP API may do. Each role includes those before it. */
enum AccessRole {
    /** Reads everything that the API answers with. */
    LOOK,
    /** Adds and releases locks, and uses the kill switch. */
    OPERATE,
    /** Applies policy sets. */
    POLICIES;

    /** Returns the role of a spelling, such as {@code operate}. */
    static Optional<AccessRole> spelt(String spelling) {
        return Stream.of(values())
                .filter(role -> role.spelling().equals(spelling))
                .findFirst();
    }

    /** Returns all spellings, the least role first. */
    static List<String> spellings() {
        return Stream.of(values()).map(AccessRole::spelling).toList();
    }

    /** Returns the name in settings and answers. */
    String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether this role includes another one. */
    boolean includes(AccessRole other) {
        return compareTo(other) >= 0;
    }
}
