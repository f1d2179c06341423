package io.sluice.analyzer;

/** Durations as people read them, the same in every command and report. */
public final class DurationText {
    private static final long SECOND = 1_000;
    private static final long[] UNITS = {86_400 * SECOND, 3_600 * SECOND, 60 * SECOND, SECOND};
    private static final String[] NAMES = {"d", "h", "m", "s"};

    private DurationText() {}

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
