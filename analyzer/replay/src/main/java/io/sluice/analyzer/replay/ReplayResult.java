package io.sluice.analyzer.replay;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a replay found.
 *
 * @param tried what the policies did, or {@code null} when callers were only looked at
 * @param comparison with other policies, where there were any
 * @param timeline requests over time, where it was asked for and there are any
 * @param suggestion limits, where there were no policies
 * @param notes what a reader should know before believing the numbers
 */
public record ReplayResult(
        List<ReadLog> logs,
        DeadLetters deadLetters,
        @Nullable Tried tried,
        @Nullable Comparison comparison,
        Callers callers,
        @Nullable Timeline timeline,
        @Nullable Suggestion suggestion,
        List<String> notes,
        double seconds) {

    /** A log with its format and what was found in it. */
    record ReadLog(String name, String format, boolean guessed, Survey survey) {}

    /** The locks of the policies, in the order in which they opened. */
    public List<ReplayLock> locks() {
        return tried == null ? List.of() : tried.plain();
    }

    /** Returns the names of the logs that have lines, none of which could be read. */
    public List<String> unread() {
        return logs.stream()
                .filter(log -> log.survey().lines() > 0 && log.survey().events() == 0)
                .map(ReadLog::name)
                .toList();
    }

    /** Returns the number of lines that could be read. */
    public long events() {
        return logs.stream().mapToLong(log -> log.survey().events()).sum();
    }

    long lines() {
        return logs.stream().mapToLong(log -> log.survey().lines()).sum();
    }

    long outOfOrder() {
        return logs.stream().mapToLong(log -> log.survey().outOfOrder()).sum();
    }

    /** Time of the oldest event, 0 without events. */
    long from() {
        return events() == 0
                ? 0
                : logs.stream().mapToLong(log -> log.survey().from()).min().orElse(0);
    }

    /** Time of the newest event, 0 without events. */
    long to() {
        return events() == 0
                ? 0
                : logs.stream().mapToLong(log -> log.survey().to()).max().orElse(0);
    }
}
