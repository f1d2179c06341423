package io.sluice.analyzer.notify;

import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.LockValidity;
import java.util.function.LongSupplier;

/**
 * Decides whether a lock still holds when it is about to be announced.
 *
 * @param maxLeaseMillis the longest lease of a lock
 * @param brokerTime epoch milliseconds
 */
public record Holding(long maxLeaseMillis, LongSupplier brokerTime) {

    boolean holds(GateLock lock, long append) {
        return LockValidity.holds(LockValidity.leaseEnd(lock, append, maxLeaseMillis), brokerTime.getAsLong());
    }
}
