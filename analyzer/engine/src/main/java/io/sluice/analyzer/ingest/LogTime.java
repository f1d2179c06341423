package io.sluice.analyzer.ingest;

/**
 * The times that servers write: {@code 12/May/2024:00:00:17 +0000}, ISO 8601 with a zone, and seconds since the epoch with
 * an optional fraction. Days are counted as in Howard Hinnant's "chrono-compatible low-level date algorithms".
 */
final class LogTime {
    /** The answer for what is none of these, or before 1970. */
    static final long UNREADABLE = -1;

    /** The length of {@code 12/May/2024:00:00:17 +0000}. */
    static final int LOCAL_LENGTH = 26;

    private static final byte[] MONTHS = {
        'J', 'a', 'n', 'F', 'e', 'b', 'M', 'a', 'r', 'A', 'p', 'r', 'M', 'a', 'y', 'J', 'u', 'n', //
        'J', 'u', 'l', 'A', 'u', 'g', 'S', 'e', 'p', 'O', 'c', 't', 'N', 'o', 'v', 'D', 'e', 'c'
    };
    private static final int[] DAYS = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    // an epoch time of more digits than this is in milliseconds already
    private static final int MAX_SECONDS_DIGITS = 11;

    private LogTime() {}

    /** Epoch milliseconds, or {@link #UNREADABLE}. */
    static long of(byte[] text, int from, int to) {
        int length = to - from;
        if (length == LOCAL_LENGTH && text[from + 2] == '/') {
            return local(text, from);
        }
        if (length >= 20 && text[from + 4] == '-') {
            return iso(text, from, to);
        }
        return epoch(text, from, to);
    }

    private static long local(byte[] t, int at) {
        if (t[at + 6] != '/' || t[at + 11] != ':' || t[at + 14] != ':' || t[at + 17] != ':' || t[at + 20] != ' ') {
            return UNREADABLE;
        }
        int offset = zone(t, at + 21, at + LOCAL_LENGTH);
        return instant(
                Digits.of(t, at + 7, at + 11),
                month(t, at + 3),
                Digits.of(t, at, at + 2),
                clock(t, at + 12),
                0,
                offset);
    }

    private static long iso(byte[] t, int at, int to) {
        if (t[at + 7] != '-' || (t[at + 10] != 'T' && t[at + 10] != ' ') || t[at + 13] != ':' || t[at + 16] != ':') {
            return UNREADABLE;
        }
        int end = at + 19;
        int millis = 0;
        if (t[end] == '.' || t[end] == ',') {
            int unit = 100;
            for (end++; end < to && t[end] >= '0' && t[end] <= '9'; end++) {
                millis += (t[end] - '0') * unit;
                unit /= 10;
            }
        }
        return instant(
                Digits.of(t, at, at + 4),
                Digits.of(t, at + 5, at + 7),
                Digits.of(t, at + 8, at + 10),
                clock(t, at + 11),
                millis,
                zone(t, end, to));
    }

    private static long epoch(byte[] t, int from, int to) {
        int point = from;
        while (point < to && t[point] != '.') {
            point++;
        }
        long whole = Digits.of(t, from, point);
        if (whole < 0) {
            return UNREADABLE;
        }
        if (point == to) {
            return point - from > MAX_SECONDS_DIGITS ? whole : whole * 1000;
        }
        long micros = point - from > MAX_SECONDS_DIGITS ? -1 : Digits.micros(t, from, to);
        return micros < 0 ? UNREADABLE : micros / 1000;
    }

    private static int month(byte[] t, int at) {
        for (int month = 0; month < 12; month++) {
            if (t[at] == MONTHS[3 * month]
                    && t[at + 1] == MONTHS[3 * month + 1]
                    && t[at + 2] == MONTHS[3 * month + 2]) {
                return month + 1;
            }
        }
        return -1;
    }

    /** Seconds of the day of {@code HH:MM:SS}, or -1. */
    private static int clock(byte[] t, int at) {
        long hour = Digits.of(t, at, at + 2);
        long minute = Digits.of(t, at + 3, at + 5);
        long second = Digits.of(t, at + 6, at + 8);
        // 60 is a leap second
        boolean fits = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second <= 60;
        return fits ? (int) (hour * 3600 + minute * 60 + second) : -1;
    }

    /** Seconds east of Greenwich of {@code Z}, {@code +0100} or {@code +01:00}; {@code Integer.MIN_VALUE} for none. */
    private static int zone(byte[] t, int from, int to) {
        if (to - from == 1 && t[from] == 'Z') {
            return 0;
        }
        boolean colon = to - from == 6 && t[from + 3] == ':';
        if ((to - from != 5 && !colon) || (t[from] != '+' && t[from] != '-')) {
            return Integer.MIN_VALUE;
        }
        long hours = Digits.of(t, from + 1, from + 3);
        long minutes = Digits.of(t, to - 2, to);
        if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59) {
            return Integer.MIN_VALUE;
        }
        int seconds = (int) (hours * 3600 + minutes * 60);
        return t[from] == '-' ? -seconds : seconds;
    }

    private static long instant(long year, long month, long day, int clock, int millis, int offset) {
        boolean fits = year >= 1970 && month >= 1 && month <= 12 && clock >= 0 && offset != Integer.MIN_VALUE;
        if (!fits || day < 1 || day > DAYS[(int) month - 1] || (month == 2 && day == 29 && !leap(year))) {
            return UNREADABLE;
        }
        long y = month <= 2 ? year - 1 : year;
        long era = y / 400;
        long yearOfEra = y - era * 400;
        long dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
        long days = era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468;
        long time = (days * 86400 + clock - offset) * 1000 + millis;
        return time < 0 ? UNREADABLE : time;
    }

    private static boolean leap(long year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }
}
