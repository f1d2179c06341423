package io.sluice.client;

import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How a {@link PatientHttpClient} retries. Immutable; {@link #builder} starts from what is usual.
 *
 * @param attempts most times that a call is sent, from 1 to 100
 * @param within most time from a call to its answer's head, waiting included, 1 ms to a day; the body that follows takes
 *     what it takes, as with any {@code HttpClient}
 * @param jitter the most that is added to a wait, as a share of it, from 0 to 1; never less than the backoff
 * @param firstBackoff the most that is waited before the first retry when the host doesn't say how long, and the least
 *     spread of those who wait; doubled for each further retry (exponential backoff with full jitter, as in M. Brooker's
 *     "Exponential Backoff And Jitter")
 * @param mostBackoff where the doubling ends
 * @param reserve retries that a host's budget holds at most, and starts with
 * @param ratio retries that each call adds to its host's budget, from 0 to 1
 * @param mostPause the longest that a host's word to wait is believed
 * @param mostWaiting most calls that wait for one host at a time
 * @param failFast whether a call to a host that asked to wait fails at once instead of waiting for it
 * @param heedsRemaining whether a host is left alone, too, when a response says that nothing remains of a quota
 * @param repeatable which requests may be sent again although nobody knows whether they had an effect
 */
public record RetryPolicy(
        int attempts,
        Duration within,
        double jitter,
        Duration firstBackoff,
        Duration mostBackoff,
        int reserve,
        double ratio,
        Duration mostPause,
        int mostWaiting,
        boolean failFast,
        boolean heedsRemaining,
        Predicate<HttpRequest> repeatable) {
    private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "OPTIONS", "PUT", "DELETE");
    private static final Duration DAY = Duration.ofDays(1);

    /** @throws IllegalArgumentException naming what is out of range */
    public RetryPolicy {
        require(attempts >= 1 && attempts <= 100, "attempts must be from 1 to 100, found " + attempts);
        duration("within", within, 1);
        require(jitter >= 0 && jitter <= 1, "jitter must be from 0 to 1, found " + jitter);
        duration("firstBackoff", firstBackoff, 0);
        duration("mostBackoff", mostBackoff, 0);
        require(reserve >= 0, "reserve must be 0 or more, found " + reserve);
        require(ratio >= 0 && ratio <= 1, "ratio must be from 0 to 1, found " + ratio);
        duration("mostPause", mostPause, 0);
        require(mostWaiting >= 0, "mostWaiting must be 0 or more, found " + mostWaiting);
    }

    private static void duration(String name, Duration found, long leastMillis) {
        boolean in = found.compareTo(Duration.ofMillis(leastMillis)) >= 0 && found.compareTo(DAY) <= 0;
        require(in, name + " must be from " + leastMillis + " ms to a day, found " + found);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** What is usual: 4 attempts within 30 s, a fifth of the calls retried and ten more. */
    public static RetryPolicy usual() {
        return builder().build();
    }

    /** Starts from what is usual. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * How long to wait for a host: never less than was told.
     *
     * @param told nanoseconds that the host asked for, 0 when it didn't
     * @param attempt the attempt that was made or waits to be made first, from 1
     * @param room nanoseconds that the call has left after that; at most half of it is spent on spreading
     * @param draw from 0 to 1, at random
     */
    long wait(long told, int attempt, long room, double draw) {
        double backoff = Math.min((double) mostBackoff.toNanos(), firstBackoff.toNanos() * Math.pow(2, attempt - 1));
        double spread = Math.min(Math.max(told * jitter, backoff), room / 2.0);
        return told + (long) (spread * draw);
    }

    /** Describes a patience. Not thread-safe. */
    public static final class Builder {
        private int attempts = 4;
        private Duration within = Duration.ofSeconds(30);
        private double jitter = 0.25;
        private Duration firstBackoff = Duration.ofMillis(200);
        private Duration mostBackoff = Duration.ofSeconds(10);
        private int reserve = 10;
        private double ratio = 0.2;
        private Duration mostPause = Duration.ofMinutes(10);
        private int mostWaiting = 1000;
        private boolean failFast;
        private boolean heedsRemaining = true;
        private Predicate<HttpRequest> repeatable = request -> IDEMPOTENT.contains(request.method());

        private Builder() {}

        /** Most times that a call is sent; 4 unless said. */
        public Builder attempts(int most) {
            attempts = most;
            return this;
        }

        /** Most time from a call to its answer, waiting included; 30 s unless said. */
        public Builder within(Duration most) {
            within = most;
            return this;
        }

        /** The most that is added to a wait, as a share of it; a quarter unless said. */
        public Builder jitter(double share) {
            jitter = share;
            return this;
        }

        /** The most to wait before the first retry, and before any, when the host doesn't say; 200 ms and 10 s unless said. */
        public Builder backoff(Duration first, Duration most) {
            firstBackoff = first;
            mostBackoff = most;
            return this;
        }

        /** A host's retry budget: at most {@code most} saved up, and {@code perCall} more with each call; 10 and 0.2 unless said. */
        public Builder budget(int most, double perCall) {
            reserve = most;
            ratio = perCall;
            return this;
        }

        /** The longest that a host's word to wait is believed; 10 minutes unless said. */
        public Builder mostPause(Duration most) {
            mostPause = most;
            return this;
        }

        /** Most calls that wait for one host; 1000 unless said. */
        public Builder mostWaiting(int most) {
            mostWaiting = most;
            return this;
        }

        /** Calls to a host that asked to wait fail at once with {@link HostBusyException}. */
        public Builder failFast() {
            failFast = true;
            return this;
        }

        /** Whether {@code RateLimit} fields that say nothing remains are heeded on allowed responses too; yes unless said. */
        public Builder heedsRemaining(boolean heeds) {
            heedsRemaining = heeds;
            return this;
        }

        /**
         * Which requests may be sent again although nobody knows whether they had an effect; GET, HEAD, OPTIONS, PUT and
         * DELETE unless said. Their bodies must be publishable again, as those of {@code BodyPublishers} are.
         */
        public Builder repeatable(Predicate<HttpRequest> newRepeatable) {
            repeatable = newRepeatable;
            return this;
        }

        /** @throws IllegalArgumentException naming what is out of range */
        public RetryPolicy build() {
            return new RetryPolicy(
                    attempts,
                    within,
                    jitter,
                    firstBackoff,
                    mostBackoff,
                    reserve,
                    ratio,
                    mostPause,
                    mostWaiting,
                    failFast,
                    heedsRemaining,
                    repeatable);
        }
    }
}
