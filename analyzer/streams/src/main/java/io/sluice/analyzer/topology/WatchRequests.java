package io.sluice.analyzer.topology;

import io.sluice.contract.usage.UsageKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Subjects that people look at: the decide tasks of this process have the meters report what they hold back of them. A bounded number waits; beyond
 * it, those that wait are dropped, since a page asks again. One that no task takes within 5 s is dropped as well, since its task has moved to
 * another process. Subjects of more than {@value #MOST_BYTES} bytes are ignored. Thread-safe.
 */
public final class WatchRequests {
    static final int MOST = 1_000;

    private static final int MOST_BYTES = 1_024;

    private static final long EXPIRY_NANOS = 5_000_000_000L;

    /** The time of the newest request for each subject, by the monotonic clock. */
    private final Map<UsageKey, Long> waiting = new ConcurrentHashMap<>();

    private final LongSupplier nanoTime;

    /** @param nanoTime the monotonic clock */
    WatchRequests(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Adds a subject. */
    public void add(UsageKey key) {
        if (key.bytes().length > MOST_BYTES) {
            return;
        }
        if (waiting.size() >= MOST) {
            waiting.clear();
        }
        waiting.put(key, nanoTime.getAsLong());
    }

    /**
     * Passes each subject to a task.
     *
     * @param task returns whether the subject is one of its own, which is removed then
     */
    void drain(Predicate<UsageKey> task) {
        if (!waiting.isEmpty()) {
            long now = nanoTime.getAsLong();
            waiting.entrySet().removeIf(it -> now - it.getValue() > EXPIRY_NANOS || task.test(it.getKey()));
        }
    }
}
