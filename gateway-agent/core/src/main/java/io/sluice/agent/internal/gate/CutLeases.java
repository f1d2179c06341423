package io.sluice.agent.internal.gate;

import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorRecord;

/** The locks whose lease was cut, because it is longer than the agent's longest one. Written by one thread, read by any. */
final class CutLeases {
    private final long maxLease;
    /** The time at which the last of them would have ended, in milliseconds of the ticks. */
    private volatile long until = -1;

    /** @param maxLease the longest lease, milliseconds */
    CutLeases(long maxLease) {
        this.maxLease = maxLease;
    }

    /** Takes a lock or a release. */
    void add(GateLock lock, long now) {
        if (lock.mode() != Mode.OPEN && lock.ttlMillis() > maxLease) {
            // until it would have ended; a renewal moves that, and a smaller analyzer.max-lease lets it pass
            until = Math.max(until, now / 1_000_000 + Math.min(lock.ttlMillis(), OperatorRecord.LONGEST_MILLIS));
        }
    }

    /** Returns whether one of them would still last. */
    boolean any(long now) {
        return now / 1_000_000 < until;
    }

    long maxLease() {
        return maxLease;
    }
}
