package io.sluice.contract.lock;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Effect of a gate lock on the requests it closes, strictest first. */
public enum Mode {
    /** Rejects everything. */
    BLOCK,
    /** Rejects a ratio of the requests. */
    SHED,
    /** Allows a rate over the whole fleet. */
    THROTTLE,
    /** Rejects nothing and reports. */
    SHADOW,
    /** A release. */
    OPEN,
    /** A mode this version does not know, written by a newer analyzer: treated as {@link #SHADOW} and counted. */
    UNKNOWN;

    private static final Map<String, Mode> BY_SPELLING = Stream.of(values())
            .filter(mode -> mode != UNKNOWN)
            .collect(Collectors.toUnmodifiableMap(Mode::spelling, mode -> mode));
    private final String spelling = name().toLowerCase(Locale.ROOT);

    /** The mode that is spelt so, {@link #UNKNOWN} when this version knows none. */
    public static Mode spelt(String spelling) {
        return BY_SPELLING.getOrDefault(spelling, UNKNOWN);
    }

    /** Its name in records and policies, such as {@code throttle}. */
    public String spelling() {
        return spelling;
    }

    /** Returns whether it can turn a request away. */
    public boolean rejects() {
        return this == BLOCK || this == SHED || this == THROTTLE;
    }
}
