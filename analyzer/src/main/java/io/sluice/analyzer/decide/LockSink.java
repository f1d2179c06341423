package io.sluice.analyzer.decide;

import io.sluice.contract.lock.GateLock;
import java.util.List;

/** Where gate locks are published. */
public interface LockSink {
    void lock(GateLock lock);

    /** What people want to hear of, after its record. */
    default void news(News news, GateLock lock) {}

    /** The subject's last record may be forgotten: it no longer says anything. */
    void tombstone(String policy, List<String> subject);
}
