package io.sluice.analyzer;

import java.util.Locale;

/** Numbers for people, the same in every command and report. */
public final class NumberText {
    private NumberText() {}

    /** With a comma at every thousand: {@code 12,345}. */
    public static String of(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** With a comma at every thousand, and one digit behind the point unless it is whole. */
    public static String of(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%,.0f" : "%,.1f", value);
    }

    /** A part of 1 in percent with one digit behind the point: {@code 40.0 %}. */
    public static String percent(double part) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * part);
    }

    /** A part of 1 in percent, with a digit behind the point unless that is 0: {@code 40 %}. */
    public static String shortPercent(double part) {
        return percent(part).replace(".0 ", " ");
    }
}
