package io.sluice.agent.verdict;

import io.sluice.contract.event.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a check. It must be closed when the request is done, however it ended: that gives back the permits of limits
 * on requests in flight. Every door does so. Thread-safe.
 */
public sealed interface Verdict extends AutoCloseable {

    /** Whether the request may pass. */
    boolean allowed();

    /** What remains of the tightest limit that was asked, or {@code null} when none was. */
    @Nullable
    Quota quota();

    /** What the access log says of the request. */
    Outcome outcome();

    /**
     * How long to wait before the request is served, in nanoseconds from the check; 0 unless a leaky bucket paces it. The
     * check itself never waits. A thread that may block parks so long; one that may not asks a
     * {@code CompletableFuture.delayedExecutor(verdict.delayNanos(), NANOSECONDS)} to go on.
     */
    default long delayNanos() {
        return 0;
    }

    /** Gives back what the request held; it ended well. Closing again, in whatever way, has no effect. */
    @Override
    default void close() {
        close(Completion.SUCCESS);
    }

    /** Gives back what the request held, and says how it ended: adaptive limits learn from that. */
    default void close(Completion how) {}

    /** Why a request was turned away. */
    enum Reason {
        /** A gate lock, or a policy that denies while the agent is cold or stale; then there is no quota. */
        LOCKED,
        /** A gate lock that turns away a part of the requests. */
        SHED,
        /** A local limit. */
        LIMITED
    }

    /**
     * The request may pass.
     *
     * @param permit what it holds while it is in flight, {@code null} for nothing
     */
    record Allowed(
            @Nullable Quota quota,
            long delayNanos,
            @Nullable Permit permit) implements Verdict {
        /** Shared by all requests that no limit was asked for. */
        public static final Allowed FREELY = new Allowed(null);

        /** At once, holding nothing. */
        public Allowed(@Nullable Quota quota) {
            this(quota, 0, null);
        }

        @Override
        public void close(Completion how) {
            if (permit != null) {
                permit.close(how);
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
     * The request is turned away.
     *
     * @param policy the policy that turned it away
     * @param retryAfterMillis when asking again is of use, at least 1
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
            return reason == Reason.LIMITED ? Outcome.LIMITED : Outcome.LOCKED;
        }
    }
}
