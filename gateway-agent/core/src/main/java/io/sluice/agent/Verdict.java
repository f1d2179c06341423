package io.sluice.agent;

import io.sluice.contract.event.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a check. Closing it when the request is done gives back what the request held; every door does so.
 * Immutable and thread-safe.
 */
public sealed interface Verdict extends AutoCloseable {

    /** Whether the request may pass. */
    boolean allowed();

    /** What remains of the tightest limit that was asked, or {@code null} when none was. */
    @Nullable
    Quota quota();

    /** What the access log says of the request. */
    Outcome outcome();

    /** Gives back what the request held. Has no effect today, and none when called again. */
    @Override
    default void close() {}

    /** Why a request was turned away. */
    enum Reason {
        /** A gate lock, or a policy that denies while the agent is cold or stale; then there is no quota. */
        LOCKED,
        /** A gate lock that turns away a part of the requests. */
        SHED,
        /** A local limit. */
        LIMITED
    }

    /** The request may pass. */
    record Allowed(@Nullable Quota quota) implements Verdict {
        /** Shared by all requests that no limit was asked for. */
        public static final Allowed FREELY = new Allowed(null);

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
