package io.sluice.contract.decision;

import io.sluice.contract.lock.GateLock;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A change of an analyzer lock's state. Renewals, rewrites and moved ends are none.
 *
 * @param event what happened
 * @param cause why it was released, {@code null} for every other event
 * @param at broker time at which it happened, epoch milliseconds
 * @param lock the lock as it was or became, with the evidence for it also when it ends
 * @param suppressed how many transitions of this subject before this one were not recorded, since there were too many
 */
public record LockTransition(Event event, @Nullable Cause cause, long at, GateLock lock, long suppressed)
        implements DecisionRecord {
    /** @throws IllegalArgumentException for a negative number */
    public LockTransition {
        if (at < 0 || suppressed < 0) {
            throw new IllegalArgumentException("at and suppressed must be 0 or more");
        }
    }

    /** A transition before which none was left out. */
    public LockTransition(Event event, @Nullable Cause cause, long at, GateLock lock) {
        this(event, cause, at, lock, 0);
    }

    /** The same, after so many that were not recorded. */
    public LockTransition after(long more) {
        return new LockTransition(event, cause, at, lock, more);
    }

    /** Kinds of transitions. */
    public enum Event {
        /** It is new, and as its policy wants it. */
        OPENED,
        /** The guard keeps it from closing its gate: a new lock, or one that closed it until now. */
        GUARDED,
        /** It was only a report of the guard's, and closes its gate from now on. */
        ARMED,
        /** Its policy has another mode, rate or shadow. */
        CHANGED,
        /** It ended before its time. */
        RELEASED,
        /** It ended at its time. */
        EXPIRED,
        /** An event of a newer version; read, never written. */
        UNKNOWN;

        /** Its name in records, such as {@code opened}. */
        public String spelling() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Why a lock was released. */
    public enum Cause {
        /** Demand fell below the policy's {@code release}. */
        DEMAND,
        /** The debt is paid. */
        DEBT,
        /** The policy is gone, or no longer locks the subject. */
        POLICY,
        /** The policy counts by other attributes, so that the subject is another one. */
        PER,
        /** An operator released it. */
        OPERATOR,
        /** A cause of a newer version; read, never written. */
        UNKNOWN;

        /** Its name in records, such as {@code demand}. */
        public String spelling() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
