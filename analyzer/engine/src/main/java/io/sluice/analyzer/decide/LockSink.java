package io.sluice.analyzer.decide;

import io.sluice.contract.decision.LockTransition;
import io.sluice.contract.lock.GateLock;
import java.util.List;

/** Where gate locks are published. */
public interface LockSink {
    void lock(GateLock lock);

    /** A change of a lock's state, after the record that it led to. */
    default void transition(LockTransition transition) {}

    /** Removes the subject's last record, which has no effect any more. */
    void tombstone(String policy, List<String> subject);
}
