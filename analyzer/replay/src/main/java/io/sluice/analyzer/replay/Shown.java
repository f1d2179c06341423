package io.sluice.analyzer.replay;

import io.sluice.analyzer.DurationText;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Values as people read them. */
public final class Shown {
    private static final int MAX_NAME = 60;

    private Shown() {}

    /** {@code 12,345}. */
    public static String whole(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** Whole where it is, else with one digit behind the point. */
    static String number(double value) {
        return value == Math.rint(value) ? whole((long) value) : String.format(Locale.ROOT, "%,.1f", value);
    }

    /** ISO 8601 in UTC. */
    public static String time(long epochMillis) {
        return Instant.ofEpochMilli(epochMillis).toString();
    }

    /** {@code 1.5s}, {@code 47s}, {@code 2m26s}, {@code 3h5m}, {@code 2d1h}. */
    static String duration(long millis) {
        long seconds = (millis + 500) / 1000;
        if (millis < 10_000) {
            return millis % 1000 == 0 ? seconds + "s" : String.format(Locale.ROOT, "%.1fs", millis / 1000.0);
        }
        return DurationText.of(seconds * 1000).replace(" ", "");
    }

    /** A caller, cut to what fits on a line. */
    static String name(String caller) {
        String printable = printable(caller);
        return printable.codePointCount(0, printable.length()) <= MAX_NAME
                ? printable
                : printable.substring(0, printable.offsetByCodePoints(0, MAX_NAME)) + "…";
    }

    /** The values of a subject; the one without any is everybody. */
    static String subject(List<String> values) {
        return values.isEmpty() ? "everybody" : printable(String.join(", ", values));
    }

    /** Clients choose their names: none of them may move the cursor. */
    public static String printable(String text) {
        StringBuilder printable = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '?' : c)
                .forEach(printable::appendCodePoint);
        return printable.toString();
    }
}
