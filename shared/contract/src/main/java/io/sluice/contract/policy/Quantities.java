package io.sluice.contract.policy;

import java.math.BigDecimal;

/**
 * Durations, sizes, rates, parts and numbers as people write them in policy and configuration files, and back. Each reader
 * throws an {@link IllegalArgumentException} whose message contains what is allowed.
 */
public final class Quantities {
    private static final int MAX_DAYS = 366;
    private static final long MAX_MILLIS = MAX_DAYS * 24L * 60 * 60 * 1000;
    // what is smaller means nothing here, and would not be read back from 32 characters
    private static final double LEAST = 1e-9;
    private static final String[] TIME_UNITS = {"d", "h", "m", "s", "ms"};
    private static final long[] TIME_MILLIS = {86_400_000, 3_600_000, 60_000, 1000, 1};
    private static final String[] SIZE_UNITS = {"GB", "MB", "KB", "B"};

    private Quantities() {}

    /**
     * How many are allowed in how long.
     *
     * @param permits greater than 0, not always whole
     * @param perMillis at least 1
     */
    public record Rate(double permits, long perMillis) {
        public double perSecond() {
            return perMillis == 1000 ? permits : permits * 1000 / perMillis;
        }

        /** {@code 10/s}, {@code 500/10s}. */
        @Override
        public String toString() {
            String per = durationText(perMillis);
            return numberText(permits) + "/" + (per.matches("1[smhd]") ? per.substring(1) : per);
        }
    }

    /** {@code 10ms}, {@code 10s}, {@code 5m}, {@code 2h} or {@code 7d} in milliseconds; at most 366 days. */
    public static long duration(String text) {
        for (int i = TIME_UNITS.length - 1; i >= 0; i--) {
            if (text.endsWith(TIME_UNITS[i])) {
                long count = whole(text, text.length() - TIME_UNITS[i].length());
                if (count >= 0 && count <= MAX_MILLIS / TIME_MILLIS[i]) {
                    return count * TIME_MILLIS[i];
                }
                break;
            }
        }
        throw new IllegalArgumentException(
                text.matches("[0-9]+(d|h|m|s|ms)")
                        ? "allowed: a duration of at most " + MAX_DAYS + "d"
                        : "allowed: a duration such as 10ms, 10s, 5m, 2h or 7d");
    }

    /** A duration in the largest unit that leaves it whole. */
    public static String durationText(long millis) {
        int unit = 0;
        while (millis == 0 ? unit < 3 : millis % TIME_MILLIS[unit] != 0) {
            unit++;
        }
        return millis / TIME_MILLIS[unit] + TIME_UNITS[unit];
    }

    /** {@code 512B}, {@code 10KB}, {@code 5MB}, {@code 1GB} in bytes, each unit 1,024 of the one before. */
    public static long size(String text) {
        for (int i = 0; i < SIZE_UNITS.length; i++) {
            if (text.endsWith(SIZE_UNITS[i])) {
                long count = whole(text, text.length() - SIZE_UNITS[i].length());
                int shift = 10 * (SIZE_UNITS.length - 1 - i);
                if (count >= 0 && count <= Long.MAX_VALUE >> shift) {
                    return count << shift;
                }
                break;
            }
        }
        throw new IllegalArgumentException("allowed: a size such as 512B, 10KB, 5MB or 1GB");
    }

    /** {@code 10/s}, {@code 0.5/m}, {@code 100/10s}. */
    public static Rate rate(String text) {
        int slash = text.indexOf('/');
        if (slash > 0) {
            String per = text.substring(slash + 1);
            try {
                double permits = number(text.substring(0, slash));
                long perMillis = duration(per.matches("[smhd]") ? "1" + per : per);
                if (permits > 0 && perMillis > 0) {
                    return new Rate(permits, perMillis);
                }
            } catch (IllegalArgumentException e) {
                // reported below, with all that is allowed
            }
        }
        throw new IllegalArgumentException("allowed: a rate such as 50/s, 10/m, 1000/h or 100/10s");
    }

    /** {@code 40%}, or a number from 0 to 1. */
    public static double part(String text) {
        boolean percent = text.endsWith("%");
        try {
            String digits = percent ? text.substring(0, text.length() - 1) : text;
            double value = number(digits);
            if (value >= 0 && value <= (percent ? 100 : 1)) {
                return percent && value > 0
                        ? new BigDecimal(digits).movePointLeft(2).doubleValue()
                        : value;
            }
        } catch (IllegalArgumentException e) {
            // reported below, with all that is allowed
        }
        throw new IllegalArgumentException("allowed: a percentage from 0% to 100%");
    }

    public static String partText(double part) {
        return numberText(BigDecimal.valueOf(part).movePointRight(2)) + "%";
    }

    /** A decimal number, finite, without thousands separators, 0 or at least a billionth. */
    public static double number(String text) {
        boolean plain = !text.isEmpty() && text.length() <= 32;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            plain &= (c >= '0' && c <= '9') || ".-+eE".indexOf(c) >= 0;
        }
        try {
            double value = plain ? Double.parseDouble(text) : Double.NaN;
            if (Double.isFinite(value) && (value == 0 || Math.abs(value) >= LEAST)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new IllegalArgumentException("allowed: a number such as 5, 0.5 or 12000");
    }

    public static String numberText(double number) {
        return numberText(BigDecimal.valueOf(number));
    }

    private static String numberText(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }

    /** The whole number before {@code end}, or −1. */
    private static long whole(String text, int end) {
        if (end < 1 || end > 15) {
            return -1;
        }
        long value = 0;
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            value = value * 10 + c - '0';
        }
        return value;
    }
}
