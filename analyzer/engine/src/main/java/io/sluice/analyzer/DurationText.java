package io.sluice.analyzer;

import java.util.Locale;

/** Durations as people read them, the same in every command and report. */
public final class DurationText {
    private static final long SECOND = 1_000;
    private static final long[] UNITS = {86_400 * SECOND, 3_600 * SECOND, 60 * SECOND, SECOND};
    private static final String[] NAMES = {"d", "h", "m", "s"};

    private static final long SHORT = 10 * SECOND;

    private DurationText() {}

    /** The same without a space, and in tenths of a second below 10 s: {@code 1.5s}, {@code 47s}, {@code 2m26s}, {@code 2d1h}. */
    public static String compact(long millis) {
        if (millis < SHORT) {
            return millis % SECOND == 0
                    ? millis / SECOND + "s"
                    : String.format(Locale.ROOT, "%.1fs", millis / (double) SECOND);
        }
        return of((millis + SECOND / 2) / SECOND * SECOND).replace(" ", "");
    }

    /**
     * The largest two units, the rest cut off: {@code 1d 2h}, {@code 1h 5m}, {@code 42s}, {@code 250ms}.
     *
     * @param millis less than 0 reads as 0
     */
    public static String of(long millis) {
        for (int i = 0; i < UNITS.length; i++) {
            if (millis >= UNITS[i]) {
                long next = i + 1 < UNITS.length ? millis % UNITS[i] / UNITS[i + 1] : 0;
                return millis / UNITS[i] + NAMES[i] + (next == 0 ? "" : " " + next + NAMES[i + 1]);
            }
        }
        return Math.max(0, millis) + "ms";
    }
}
