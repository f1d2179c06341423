package io.sluice.analyzer.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations and numbers as people write them: {@code 90s}, {@code 10m}, {@code 2h}. */
final class Spans implements ITypeConverter<Long> {

    /** Reads a duration into milliseconds. */
    @Override
    public Long convert(String text) {
        var matcher = java.util.regex.Pattern.compile("(\\d{1,9})(ms|s|m|h|d)").matcher(text);
        if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
            throw new TypeConversionException("found " + text + ", allowed is a duration such as 90s, 10m or 2h");
        }
        return Long.parseLong(matcher.group(1))
                * switch (matcher.group(2)) {
                    case "ms" -> 1L;
                    case "s" -> 1_000L;
                    case "m" -> 60_000L;
                    case "h" -> 3_600_000L;
                    default -> 86_400_000L;
                };
    }

    /** The largest two units: {@code 1h 5m}, {@code 42s}. */
    static String text(long millis) {
        if (millis < 1_000) {
            return Math.max(0, millis) + "ms";
        }
        long seconds = millis / 1_000;
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + "m" + (seconds % 60 == 0 ? "" : " " + seconds % 60 + "s");
        }
        long minutes = seconds / 60;
        return minutes / 60 + "h" + (minutes % 60 == 0 ? "" : " " + minutes % 60 + "m");
    }

    static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
