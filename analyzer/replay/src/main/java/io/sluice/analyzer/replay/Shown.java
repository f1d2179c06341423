package io.sluice.analyzer.replay;

import io.sluice.contract.json.PrintableText;
import java.time.Instant;
import java.util.List;

/** Values as people read them. */
final class Shown {
    private static final int MAX_NAME = 60;

    private Shown() {}

    /** A caller, cut to what fits on a line. */
    static String name(String caller) {
        String printable = PrintableText.of(caller);
        return printable.codePointCount(0, printable.length()) <= MAX_NAME
                ? printable
                : printable.substring(0, printable.offsetByCodePoints(0, MAX_NAME)) + "…";
    }

    /** The values of a subject; the one without any stands for all callers. */
    static String subject(List<String> values) {
        return values.isEmpty() ? "everybody" : PrintableText.of(String.join(", ", values));
    }

    /** ISO 8601 in UTC. */
    static String time(long epochMillis) {
        return Instant.ofEpochMilli(epochMillis).toString();
    }
}
