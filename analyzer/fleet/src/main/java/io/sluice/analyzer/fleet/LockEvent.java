package io.sluice.analyzer.fleet;

import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import java.util.Locale;

/** The kinds of events of gate locks, for events and webhooks. */
public enum LockEvent {
    /** A lock is in force. */
    OPEN,
    /** A lock only reports, because the guard's bound is reached. */
    GUARD,
    /** A lock has ended before its lease. */
    RELEASE,
    /** A lock was written again and is otherwise as before. */
    RENEW;

    /** A record is appended within moments of its decision; one that comes this much later repeats an old one. */
    private static final long NEW_MILLIS = 60_000;

    /** Returns the event of a record that is not a repetition: any but {@link #RENEW}. */
    public static LockEvent of(GateLock lock) {
        if (lock.mode() == Mode.OPEN) {
            return RELEASE;
        }
        return lock.guarded() ? GUARD : OPEN;
    }

    /**
     * Returns whether a record was written just after its lock was opened or released.
     *
     * @param append the broker's time of the record, epoch milliseconds
     */
    public static boolean isNew(GateLock lock, long append) {
        return append - (lock.mode() == Mode.OPEN ? lock.until() : lock.since()) <= NEW_MILLIS;
    }

    /** Returns the name in events and webhooks. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }
}
