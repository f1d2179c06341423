package io.sluice.analyzer.run;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Detects that the analyzer reads so far behind the end of the access logs that nothing opens, and how soon that will be over.
 * Begins when it is further behind than the backlog allows, ends when it is behind by less than half of that. Updated by one
 * thread, read by any.
 */
final class CatchUp {
    private static final long LINE_NANOS = 10_000_000_000L;
    private static final double NANOS_A_SECOND = 1e9;

    private final long backlog;
    private boolean catchingUp;
    private long began;
    private long silencedBefore;
    private long lineAt;
    private long behindThen;
    private String detail = "";

    /** @param backlogMillis nothing opens on requests that are older than this */
    CatchUp(long backlogMillis) {
        backlog = backlogMillis;
    }

    /**
     * Takes note of how far behind it is.
     *
     * @param behind in milliseconds, or nothing when that is not known: then nothing changes
     * @param silenced how many findings opened nothing because they were too old, since the process began
     * @param nanoTime the monotonic clock
     * @return a line for the log: at the beginning, every ten seconds, and at the end
     */
    synchronized Optional<String> update(OptionalLong behind, long silenced, long nanoTime) {
        if (behind.isEmpty()) {
            return Optional.empty();
        }
        long millis = behind.getAsLong();
        if (catchingUp) {
            return millis < backlog / 2 ? end(silenced, nanoTime) : progress(millis, silenced, nanoTime);
        }
        if (millis <= backlog) {
            silencedBefore = silenced;
            return Optional.empty();
        }
        catchingUp = true;
        began = nanoTime;
        lineAt = nanoTime;
        behindThen = millis;
        detail = text(millis);
        return Optional.of(detail);
    }

    private Optional<String> progress(long millis, long silenced, long nanoTime) {
        detail = text(millis);
        if (nanoTime - lineAt < LINE_NANOS) {
            return Optional.empty();
        }
        double gained = (behindThen - millis) / ((nanoTime - lineAt) / NANOS_A_SECOND);
        String left = gained > 0
                ? "about " + seconds((long) ((millis - backlog / 2) / gained * 1_000)) + " to go"
                : "and not getting nearer";
        lineAt = nanoTime;
        behindThen = millis;
        detail = text(millis) + "; " + left;
        return Optional.of(detail + "; " + grouped(silenced - silencedBefore) + " findings opened nothing so far");
    }

    private Optional<String> end(long silenced, long nanoTime) {
        long many = silenced - silencedBefore;
        catchingUp = false;
        detail = "";
        silencedBefore = silenced;
        return Optional.of("caught up after " + seconds((nanoTime - began) / 1_000_000) + "; " + grouped(many)
                + " findings in older requests opened nothing");
    }

    private String text(long millis) {
        return "catching up: " + seconds(millis)
                + " behind the newest request; nothing is locked for requests older than " + seconds(backlog);
    }

    private static String seconds(long millis) {
        return Math.max(1, Math.round(millis / 1_000.0)) + " s";
    }

    private static String grouped(long many) {
        return String.format(Locale.ROOT, "%,d", many);
    }

    /** Returns whether it is so far behind that nothing opens. */
    synchronized boolean catchingUp() {
        return catchingUp;
    }

    /** How far behind it is, in words; empty when it is not catching up. */
    synchronized String detail() {
        return detail;
    }
}
