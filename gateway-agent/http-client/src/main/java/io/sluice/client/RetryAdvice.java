package io.sluice.client;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The wait that a response asks for. {@code Retry-After} takes precedence over {@code RateLimit}; of several values the longest counts; values
 * that cannot be parsed are ignored.
 *
 * @param nanos nanoseconds to wait, 0 when the response has none
 * @param retryAfter whether a valid {@code Retry-After} is present
 */
record RetryAdvice(long nanos, boolean retryAfter) {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;
    private static final long MOST_SECONDS = Duration.ofDays(366).toSeconds();
    private static final int MOST_DIGITS = 18;
    private static final long SECOND = 1_000_000_000;

    /** @param now the wall clock, for dates in a response without {@code Date} */
    static RetryAdvice of(int status, HttpHeaders headers, Instant now) {
        long seconds = turnedAway(status) ? retryAfter(headers, now) : -1;
        boolean said = seconds >= 0;
        long wait = said ? seconds : RateLimitFields.exhaustedFor(headers);
        return new RetryAdvice(Math.min(wait, MOST_SECONDS) * SECOND, said);
    }

    /** Returns whether the status means that the request was not handled. With other statuses {@code Retry-After} means other things. */
    static boolean turnedAway(int status) {
        return status == TOO_MANY_REQUESTS || status == UNAVAILABLE;
    }

    private static long retryAfter(HttpHeaders headers, Instant now) {
        long longest = -1;
        for (String value : headers.allValues("Retry-After")) {
            longest = Math.max(longest, seconds(value.strip(), headers, now));
        }
        return longest;
    }

    private static long seconds(String value, HttpHeaders headers, Instant now) {
        if (!value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return value.length() > MOST_DIGITS ? Long.MAX_VALUE : Long.parseLong(value);
        }
        // measured by the server's clock, if the response has a date
        Optional<Instant> date = headers.firstValue("Date").flatMap(it -> HttpDate.parse(it.strip(), now));
        return HttpDate.parse(value, now)
                .map(it -> ceilSeconds(date.orElse(now), it))
                .orElse(-1L);
    }

    private static long ceilSeconds(Instant from, Instant to) {
        Duration between = Duration.between(from, to);
        return Math.max(0, between.getSeconds() + (between.getNano() > 0 ? 1 : 0));
    }
}
