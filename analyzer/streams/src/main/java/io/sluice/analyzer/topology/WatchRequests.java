package io.sluice.analyzer.topology;

import io.sluice.contract.usage.UsageKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Subjects that people look at: the decide tasks of this process have the meters report what they hold back of them. A bounded number waits; beyond
 * it, those that wait are dropped, since a page asks again. Subjects of more than {@value #MOST_BYTES} bytes are ignored. Thread-safe.
 */
public final class WatchRequests {
    static final int MOST = 1_000;

    private static final int MOST_BYTES = 1_024;

    private final Set<UsageKey> waiting = ConcurrentHashMap.newKeySet();

    /** Adds a subject. */
    public void add(UsageKey key) {
        if (key.bytes().length > MOST_BYTES) {
            return;
        }
        if (waiting.size() >= MOST) {
            waiting.clear();
        }
        waiting.add(key);
    }

    /**
     * Passes each subject to a task.
     *
     * @param task returns whether the subject is one of its own, which is removed then
     */
    void drain(Predicate<UsageKey> task) {
        if (!waiting.isEmpty()) {
            waiting.removeIf(task);
        }
    }
}
