package io.sluice.analyzer.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Lines that could not be read, by reason, with the first few of each. */
final class DeadLetters {
    private static final int EXAMPLES = 3;
    private static final int MAX_REASONS = 100;
    private static final String OTHER = "other reasons";
    // the same thing wrong at another byte is the same reason
    private static final Pattern NUMBER = Pattern.compile("(?<=byte )\\d+|^\\d+(?= bytes)");

    private final Map<String, Reason> reasons = new LinkedHashMap<>();
    private long count;

    /**
     * @param examples such as {@code access.log:19}
     */
    record Reason(String reason, long count, List<String> examples) {
        private Reason and(String example) {
            if (examples.size() < EXAMPLES) {
                examples.add(example);
            }
            return new Reason(reason, count + 1, examples);
        }
    }

    void add(String message, String log, long line) {
        count++;
        String reason = NUMBER.matcher(message).replaceAll("N");
        String text = reasons.size() < MAX_REASONS || reasons.containsKey(reason) ? reason : OTHER;
        Reason before = reasons.getOrDefault(text, new Reason(text, 0, new ArrayList<>()));
        reasons.put(text, before.and(log + ":" + line));
    }

    long count() {
        return count;
    }

    /** The most frequent first. */
    List<Reason> reasons() {
        return reasons.values().stream()
                .sorted(Comparator.comparingLong(Reason::count).reversed())
                .toList();
    }
}
