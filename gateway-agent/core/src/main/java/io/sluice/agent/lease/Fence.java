package io.sluice.agent.lease;

import io.sluice.contract.lock.Version;
import java.util.HashMap;
import java.util.Map;

/**
 * Keeps out what a task's former life still writes: once a higher epoch stood in the partition, a lower one behind it is
 * a zombie's. Confined to one thread.
 */
public final class Fence {
    private final Map<String, Long> highest = new HashMap<>();

    /** Whether a record may pass, in the order in which the records stand in the partition. */
    public boolean admits(Version version) {
        return highest.merge(version.task(), version.epoch(), Math::max) == version.epoch();
    }

    /** The partition is read from its beginning again, where records of former lives stand rightly. */
    public void reset() {
        highest.clear();
    }
}
