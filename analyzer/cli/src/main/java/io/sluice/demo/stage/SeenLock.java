package io.sluice.demo.stage;

import io.sluice.contract.lock.GateLock;

/**
 * A lock from its opening to its end.
 *
 * @param opened as it was first written
 * @param until when it is meant to end, after the latest renewal, epoch milliseconds
 * @param released when it was released early, epoch milliseconds, 0 when it was not
 */
public record SeenLock(GateLock opened, long until, long released) {

    /** The caller it locks. */
    public String caller() {
        return String.join(", ", opened.subject());
    }

    /** Returns whether it holds. */
    public boolean holds(long now) {
        return released == 0 && now < until;
    }

    /** When it ended or will end, epoch milliseconds. */
    public long ends() {
        return released == 0 ? until : released;
    }

    /** Time of the event that crossed the threshold, epoch milliseconds. */
    public long crossed() {
        return opened.evidence() == null ? opened.since() : opened.evidence().crossed();
    }
}
