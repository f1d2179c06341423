package io.sluice.client;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a response says of when to come again. {@code Retry-After} goes before {@code RateLimit}; of a field that is there
 * several times, the longest counts; what can't be read says nothing.
 *
 * @param nanos how long to wait, 0 when it is not said
 * @param retryAfter whether there is a Retry-After that can be read
 */
record RetryAdvice(long nanos, boolean retryAfter) {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;
    private static final long MOST_SECONDS = Duration.ofDays(366).toSeconds();
    private static final int MOST_DIGITS = 18;
    private static final long SECOND = 1_000_000_000;

    /** @param now the wall clock, for a date in a response that has no date of its own */
    static RetryAdvice of(int status, HttpHeaders headers, Instant now) {
        long seconds = turnedAway(status) ? retryAfter(headers, now) : -1;
        boolean said = seconds >= 0;
        long wait = said ? seconds : RateLimitFields.exhaustedFor(headers);
        return new RetryAdvice(Math.min(wait, MOST_SECONDS) * SECOND, said);
    }

    /** Whether the status means that the request was not handled, and may be later; elsewhere Retry-After means other things. */
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
        // measured by the clock that wrote it, where that is known
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
