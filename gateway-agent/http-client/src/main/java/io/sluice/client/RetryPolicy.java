package io.sluice.client;

import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How a {@link PatientHttpClient} retries. Immutable; {@link #builder} starts with the defaults.
 *
 * @param attempts most attempts per call, from 1 to 100
 * @param within most time from a call to the head of its answer, waiting included, from 1 ms to a day; the body may take longer
 * @param jitter the most that is added to a wait, as a share of it from 0 to 1; never less than the backoff
 * @param firstBackoff the most to wait before the first retry when the host gives no time, and the least spread of waiting calls; doubled for
 *     each further retry (exponential backoff with full jitter: M. Brooker, "Exponential Backoff And Jitter"); at most a day
 * @param mostBackoff the limit of the doubling, at most a day
 * @param reserve retries in a full budget of a host, which it starts with; 0 or more
 * @param ratio retries that each call adds to its host's budget, from 0 to 1
 * @param mostPause the longest pause that a host can ask for, at most a day
 * @param mostWaiting most calls that wait for one host at a time, 0 or more
 * @param failFast whether calls to a host that asked for a pause fail at once instead of waiting
 * @param heedsRemaining whether a host is also left alone after a response whose quota is used up
 * @param repeatable which requests may be retried when it is unknown whether they had an effect
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

    /**
     * Checks the ranges.
     *
     * @param attempts most attempts per call
     * @param within most time per call
     * @param jitter the most that is added to a wait, as a share of it
     * @param firstBackoff the most to wait before the first retry
     * @param mostBackoff the limit of the backoff
     * @param reserve retries in a full budget
     * @param ratio retries that each call adds
     * @param mostPause the longest pause that a host can ask for
     * @param mostWaiting most waiting calls per host
     * @param failFast whether to fail instead of waiting
     * @param heedsRemaining whether a used-up quota pauses the host
     * @param repeatable which requests may be retried regardless
     * @throws IllegalArgumentException with the value and the allowed range
     */
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

    /**
     * Returns the defaults: 4 attempts within 30 s, a fifth of the calls retried and ten more.
     *
     * @return the default policy
     */
    public static RetryPolicy usual() {
        return builder().build();
    }

    /**
     * Returns a builder with the defaults.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns how long to wait for a host: never less than it asked for.
     *
     * @param told nanoseconds that the host asked for, 0 when it did not
     * @param attempt the attempt that was made or is waiting, from 1
     * @param room nanoseconds that the call has left after that; at most half of it is used for jitter
     * @param draw random, from 0 to 1
     */
    long wait(long told, int attempt, long room, double draw) {
        double backoff = Math.min((double) mostBackoff.toNanos(), firstBackoff.toNanos() * Math.pow(2, attempt - 1));
        double spread = Math.min(Math.max(told * jitter, backoff), room / 2.0);
        return told + (long) (spread * draw);
    }

    /** Builds a {@link RetryPolicy}. Not thread-safe. */
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

        /**
         * Sets the most attempts per call. Defaults to 4.
         *
         * @param most from 1 to 100
         * @return this builder
         */
        public Builder attempts(int most) {
            attempts = most;
            return this;
        }

        /**
         * Sets the most time from a call to the head of its answer, waiting included. Defaults to 30 s.
         *
         * @param most from 1 ms to a day
         * @return this builder
         */
        public Builder within(Duration most) {
            within = most;
            return this;
        }

        /**
         * Sets the most that is added to a wait. Defaults to a quarter.
         *
         * @param share a share of the wait, from 0 to 1
         * @return this builder
         */
        public Builder jitter(double share) {
            jitter = share;
            return this;
        }

        /**
         * Sets the waits when the host gives no time. Defaults to 200 ms and 10 s.
         *
         * @param first the most before the first retry
         * @param most the most before any retry
         * @return this builder
         */
        public Builder backoff(Duration first, Duration most) {
            firstBackoff = first;
            mostBackoff = most;
            return this;
        }

        /**
         * Sets the retry budget of each host. Defaults to 10 and 0.2.
         *
         * @param most retries in a full budget
         * @param perCall retries that each call adds, from 0 to 1
         * @return this builder
         */
        public Builder budget(int most, double perCall) {
            reserve = most;
            ratio = perCall;
            return this;
        }

        /**
         * Sets the longest pause that a host can ask for. Defaults to 10 minutes.
         *
         * @param most at most a day
         * @return this builder
         */
        public Builder mostPause(Duration most) {
            mostPause = most;
            return this;
        }

        /**
         * Sets the most calls that wait for one host. Defaults to 1,000.
         *
         * @param most 0 or more
         * @return this builder
         */
        public Builder mostWaiting(int most) {
            mostWaiting = most;
            return this;
        }

        /**
         * Lets calls to a host that asked for a pause fail at once with {@link HostBusyException}.
         *
         * @return this builder
         */
        public Builder failFast() {
            failFast = true;
            return this;
        }

        /**
         * Sets whether a used-up quota in an allowed response pauses the host. Defaults to true.
         *
         * @param heeds whether to pause
         * @return this builder
         */
        public Builder heedsRemaining(boolean heeds) {
            heedsRemaining = heeds;
            return this;
        }

        /**
         * Sets which requests may be retried when it is unknown whether they had an effect. Defaults to GET, HEAD, OPTIONS, PUT and DELETE. Their
         * bodies must be publishable again, as those of {@code BodyPublishers} are.
         *
         * @param newRepeatable accepts repeatable requests
         * @return this builder
         */
        public Builder repeatable(Predicate<HttpRequest> newRepeatable) {
            repeatable = newRepeatable;
            return this;
        }

        /**
         * Builds the policy.
         *
         * @return a new policy
         * @throws IllegalArgumentException with the value that is out of range
         */
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
