package io.sluice.analyzer.cli;

import io.sluice.analyzer.DurationText;
import io.sluice.analyzer.NumberText;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations and numbers as people write them: {@code 90s}, {@code 10m}, {@code 2h}. */
final class Spans implements ITypeConverter<Long> {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd HH:mm:ss.SSS 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final Pattern SPAN = Pattern.compile("0*(\\d+)(ms|s|m|h|d)");
    private static final long DAY = 86_400_000;

    /** A hundred years, which fit into a long as nanoseconds, too. */
    private static final int MOST_DAYS = 36_500;

    /** So many digits fit into a long. */
    private static final int MOST_DIGITS = 18;

    /** Reads a duration into milliseconds. */
    @Override
    public Long convert(String text) {
        Matcher matcher = SPAN.matcher(text);
        if (!matcher.matches() || matcher.group(1).equals("0")) {
            throw new TypeConversionException(
                    UsageErrors.found(text) + ", allowed is a duration such as 90s, 10m or 2h");
        }
        String count = matcher.group(1);
        long unit = switch (matcher.group(2)) {
            case "ms" -> 1L;
            case "s" -> 1_000L;
            case "m" -> 60_000L;
            case "h" -> 3_600_000L;
            default -> DAY;
        };
        if (count.length() > MOST_DIGITS || Long.parseLong(count) > MOST_DAYS * DAY / unit) {
            throw new TypeConversionException(
                    "found " + text + ", at most " + MOST_DAYS + "d is allowed, less where --help says so");
        }
        return Long.parseLong(count) * unit;
    }

    /** The largest two units: {@code 1d 2h}, {@code 1h 5m}, {@code 42s}. */
    static String text(long millis) {
        return DurationText.of(millis);
    }

    static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    /** With a comma at every thousand, and one digit behind the point if it needs any. */
    static String grouped(double value) {
        return NumberText.of(value);
    }

    /** With a comma at every thousand. */
    static String grouped(long value) {
        return NumberText.of(value);
    }

    /** A moment, to the millisecond, spelled alike on every machine. */
    static String time(long epochMillis) {
        return TIME.format(Instant.ofEpochMilli(epochMillis));
    }
}
