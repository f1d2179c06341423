package io.sluice.quota.chunks;

import io.sluice.contract.policy.Quantities;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * How much is taken ahead.
 *
 * @param ahead a chunk holds what a subject used in this time, 1 ms to 1 minute
 * @param idle a chunk that was not used for this time is returned, 10 ms to 1 hour
 * @param subjects the most subjects with a chunk, 1 to 10,000,000; further ones are asked for at the store, permit by permit
 */
public record ChunkOptions(Duration ahead, Duration idle, int subjects) {
    /** The settings that {@link #read} knows. */
    public static final Set<String> SETTINGS = Set.of("chunk-ahead", "chunk-idle", "chunk-subjects");

    private static final int MOST_SUBJECTS = 10_000_000;

    /** Creates checked options. */
    public ChunkOptions {
        check("chunk-ahead", ahead, Duration.ofMillis(1), Duration.ofMinutes(1));
        check("chunk-idle", idle, Duration.ofMillis(10), Duration.ofHours(1));
        if (subjects < 1 || subjects > MOST_SUBJECTS) {
            throw new IllegalArgumentException(
                    "chunk-subjects is " + subjects + "; 1 to " + MOST_SUBJECTS + " are allowed");
        }
    }

    /**
     * Returns the defaults.
     *
     * @return 200 ms ahead, returned after 1 s, 100,000 subjects
     */
    public static ChunkOptions defaults() {
        return new ChunkOptions(Duration.ofMillis(200), Duration.ofSeconds(1), 100_000);
    }

    /**
     * Reads {@code chunk-ahead}, {@code chunk-idle} and {@code chunk-subjects}; what is missing has its default.
     *
     * @param settings other keys are ignored
     * @return checked options
     * @throws IllegalArgumentException if a value is not as allowed; the message names it
     */
    public static ChunkOptions read(Map<String, String> settings) {
        ChunkOptions defaults = defaults();
        return new ChunkOptions(
                duration(settings, "chunk-ahead", defaults.ahead),
                duration(settings, "chunk-idle", defaults.idle),
                number(settings, "chunk-subjects", defaults.subjects));
    }

    private static Duration duration(Map<String, String> settings, String name, Duration missing) {
        String text = settings.get(name);
        if (text == null) {
            return missing;
        }
        try {
            return Duration.ofMillis(Quantities.duration(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + " is \"" + text + "\"; " + e.getMessage(), e);
        }
    }

    private static int number(Map<String, String> settings, String name, int missing) {
        String text = settings.get(name);
        if (text == null) {
            return missing;
        }
        if (!text.matches("[0-9]{1,8}")) {
            throw new IllegalArgumentException(name + " is \"" + text + "\"; a whole number is allowed");
        }
        return Integer.parseInt(text);
    }

    private static void check(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException("%s is %d ms; %d to %d ms are allowed"
                    .formatted(name, value.toMillis(), least.toMillis(), most.toMillis()));
        }
    }
}
