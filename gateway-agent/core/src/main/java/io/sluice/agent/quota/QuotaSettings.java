package io.sluice.agent.quota;

import io.sluice.contract.topic.MaskedSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the settings of one strategy. Problems are collected, and {@link #check} throws them at once; until then the default stands in for a value
 * that cannot be used. Not thread-safe.
 */
public final class QuotaSettings {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final Map<String, Long> UNITS =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

    private final String strategy;
    private final Map<String, String> settings;
    private final TreeSet<String> known = new TreeSet<>();
    private final List<String> problems = new ArrayList<>();

    /**
     * Creates a reader.
     *
     * @param strategy the strategy's name
     * @param settings what {@link QuotaStrategyProvider#create} was given
     */
    public QuotaSettings(String strategy, Map<String, String> settings) {
        this.strategy = strategy;
        this.settings = settings;
    }

    /**
     * Returns a text.
     *
     * @param key of the setting
     * @param absent the value when it is not set
     * @return the value
     */
    public String text(String key, String absent) {
        String value = find(key);
        return value == null ? absent : value;
    }

    /**
     * Returns a text that must be set.
     *
     * @param key of the setting
     * @param allowed what is allowed, for the message
     * @return the value; empty when it is missing
     */
    public String required(String key, String allowed) {
        String value = find(key);
        if (value == null) {
            problem(key, allowed);
            return "";
        }
        return value;
    }

    /**
     * Returns a path.
     *
     * @param key of the setting
     * @return the path, or null when it is not set
     */
    public @Nullable Path path(String key) {
        String value = find(key);
        return value == null ? null : Path.of(value);
    }

    /**
     * Returns a number.
     *
     * @param key of the setting
     * @param absent the value when it is not set
     * @param least the smallest value allowed
     * @param most the largest value allowed
     * @return the value
     */
    public int number(String key, int absent, int least, int most) {
        String value = find(key);
        if (value == null) {
            return absent;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below, together with what is allowed
        }
        problem(key, "a whole number from " + least + " to " + most);
        return absent;
    }

    /**
     * Returns a truth value.
     *
     * @param key of the setting
     * @param absent the value when it is not set
     * @return the value
     */
    public boolean truth(String key, boolean absent) {
        String value = find(key);
        if (value != null && !value.equals("true") && !value.equals("false")) {
            problem(key, "true or false");
        }
        return value == null ? absent : value.equals("true");
    }

    /**
     * Returns a duration such as {@code 200ms} or {@code 5s}.
     *
     * @param key of the setting
     * @param absent the value when it is not set
     * @param least the smallest value allowed
     * @param most the largest value allowed
     * @return milliseconds
     */
    public long millis(String key, long absent, long least, long most) {
        String value = find(key);
        if (value == null) {
            return absent;
        }
        Matcher matcher = DURATION.matcher(value);
        if (matcher.matches()) {
            long millis = Long.parseLong(matcher.group(1)) * Objects.requireNonNull(UNITS.get(matcher.group(2)));
            if (millis >= least && millis <= most) {
                return millis;
            }
        }
        problem(key, "a duration such as 200ms or 5s, from " + least + " ms to " + most + " ms");
        return absent;
    }

    /**
     * Adds a problem. What is found is told without users, passwords and secret parameters of URLs.
     *
     * @param key of the setting
     * @param allowed what is allowed
     */
    public void problem(String key, String allowed) {
        String value = find(key);
        problems.add("agent.quota." + strategy + "." + key + ": found "
                + (value == null ? "nothing" : MaskedSettings.url(value)) + ", allowed is " + allowed);
    }

    /**
     * Ends reading: settings that were not asked for are unknown.
     *
     * @throws IllegalArgumentException with all problems, one per line
     */
    public void check() {
        for (String key : new TreeSet<>(settings.keySet())) {
            if (!known.contains(key)) {
                problems.add(
                        "agent.quota." + strategy + "." + key + ": unknown; known are " + String.join(", ", known));
            }
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
    }

    private @Nullable String find(String key) {
        known.add(key);
        String value = settings.get(key);
        return value == null || value.isBlank() ? null : value.strip();
    }
}
