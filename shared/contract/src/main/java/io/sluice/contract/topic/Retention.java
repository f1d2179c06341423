package io.sluice.contract.topic;

import java.time.Duration;

/**
 * How long topics with names of callers keep their records, in milliseconds.
 *
 * @param requests of access logs
 * @param deadLetters of refused records
 * @param history of decisions, at least
 */
public record Retention(long requests, long deadLetters, long history) {
    /** Access logs for 12 hours, dead letters and decisions for 7 days. */
    public static final Retention DEFAULT = new Retention(
            // an analyzer that was down for a night finds what it needs; replay can look back
            Duration.ofHours(12).toMillis(),
            Duration.ofDays(7).toMillis(),
            Duration.ofDays(7).toMillis());
}
