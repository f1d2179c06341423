package io.sluice.agent.verdict;

import io.sluice.contract.event.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a check. It must be closed when the request is done, however it ended, to return the permits of concurrency limits. All
 * doors do so. Thread-safe.
 */
public sealed interface Verdict extends AutoCloseable {

    /**
     * Returns whether the request may pass.
     *
     * @return true for {@link Allowed}
     */
    boolean allowed();

    /**
     * Returns what is left of the tightest limit that was applied.
     *
     * @return the quota, {@code null} when no limit applied
     */
    @Nullable
    Quota quota();

    /**
     * Returns the outcome that the access log records.
     *
     * @return the outcome
     */
    Outcome outcome();

    /**
     * Returns how long to wait before the request is served. The check itself never waits. A thread that may block parks for this time; others
     * use {@code CompletableFuture.delayedExecutor(verdict.delayNanos(), NANOSECONDS)}.
     *
     * @return nanoseconds from the check; 0 unless a leaky bucket delays the request
     */
    default long delayNanos() {
        return 0;
    }

    /** Returns the request's permits, as after a success. Only the first call of either method has an effect. */
    @Override
    default void close() {
        close(Completion.SUCCESS);
    }

    /**
     * Returns the request's permits. Only the first call has an effect.
     *
     * @param how how the request ended; adaptive limits adjust to it
     */
    default void close(Completion how) {}

    /**
     * Replaces the permits that were reserved for the request by those that it used, once its cost is known: unused ones are returned as far as the
     * limit's algorithm can, and what was used beyond is charged, also beyond the limit. Concerns limits of policies with {@code measure: cost}
     * only. Only the first call has an effect; none on a rejection. Never blocks and never throws.
     *
     * @param actual the permits used, in the unit of the reservation; less than 0 counts as 0
     */
    default void settle(long actual) {}

    /** The kind of a rejection. */
    enum Reason {
        /** A lock, or a policy that denies while the agent is cold or stale; without a quota then. */
        LOCKED,
        /** A lock that rejects a share of the requests. */
        SHED,
        /** A local limit. */
        LIMITED,
        /** The agent's share of a limit whose central store does not answer, or {@code onDegraded: deny} of such a limit. */
        LIMITED_BY_SHARE,
        /** More permits than a local limit has at once: to retry is of no use, to ask for less is. */
        EXCEEDS_LIMIT;

        /**
         * Returns whether a limit rejected the request, not a lock.
         *
         * @return true for {@link #LIMITED}, {@link #LIMITED_BY_SHARE} and {@link #EXCEEDS_LIMIT}
         */
        public boolean byLimit() {
            return this == LIMITED || this == LIMITED_BY_SHARE || this == EXCEEDS_LIMIT;
        }
    }

    /**
     * The request may pass.
     *
     * @param quota what is left of the tightest limit, {@code null} when no limit applied
     * @param delayNanos nanoseconds to wait before the request is served, 0 or more
     * @param permit what the request holds while it is in flight or has reserved, {@code null} for nothing
     */
    record Allowed(
            @Nullable Quota quota,
            long delayNanos,
            @Nullable Permit permit) implements Verdict {
        /** Shared by all requests to which no limit applied. */
        public static final Allowed FREELY = new Allowed(null);

        /**
         * Creates a verdict without delay and permit.
         *
         * @param quota what is left of the tightest limit, {@code null} when no limit applied
         */
        public Allowed(@Nullable Quota quota) {
            this(quota, 0, null);
        }

        @Override
        public void close(Completion how) {
            if (permit != null) {
                permit.close(how, delayNanos);
            }
        }

        @Override
        public void settle(long actual) {
            if (permit != null) {
                permit.settle(Math.max(0, actual));
            }
        }

        @Override
        public boolean allowed() {
            return true;
        }

        @Override
        public Outcome outcome() {
            return Outcome.ALLOWED;
        }
    }

    /**
     * The request is rejected.
     *
     * @param reason the kind of the rejection
     * @param policy the policy that rejected it
     * @param retryAfterMillis milliseconds after which to retry, at least 1; a day for {@link Reason#EXCEEDS_LIMIT}
     * @param quota the limit without permits, {@code null} when the rejection has no quota
     */
    record Rejected(
            Reason reason,
            String policy,
            long retryAfterMillis,
            @Nullable Quota quota) implements Verdict {
        @Override
        public boolean allowed() {
            return false;
        }

        @Override
        public Outcome outcome() {
            return reason.byLimit() ? Outcome.LIMITED : Outcome.LOCKED;
        }
    }
}
