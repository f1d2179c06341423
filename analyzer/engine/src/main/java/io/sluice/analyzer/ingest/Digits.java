package io.sluice.analyzer.ingest;

/** Numbers as they stand in a log: digits and a decimal point, without sign or exponent. */
final class Digits {
    private static final int MAX_DIGITS = 18;

    private Digits() {}

    /** The whole number, or -1 when there is anything but 1 to 18 digits. */
    static long of(byte[] text, int from, int to) {
        if (to <= from || to - from > MAX_DIGITS) {
            return -1;
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    /** A decimal number times a million, what is smaller dropped; -1 when it is none, or has over 12 whole digits. */
    static long micros(byte[] text, int from, int to) {
        int point = from;
        while (point < to && text[point] != '.') {
            point++;
        }
        long whole = point - from > 12 ? -1 : of(text, from, point);
        if (whole < 0) {
            return -1;
        }
        long micros = whole * 1_000_000;
        int unit = 100_000;
        for (int i = point + 1; i < to; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            micros += (long) digit * unit;
            unit /= 10;
        }
        return point + 1 == to ? -1 : micros;
    }
}
