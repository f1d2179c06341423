package io.sluice.analyzer.topology;

import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.operator.OperatorRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Operators' records for every decide task of this process: those that hold when it begins, then new ones. Its size is bounded by twice the records that
 * hold, and {@value #FEW}. Thread-safe.
 */
final class OperatorFeed {
    private static final int FEW = 1_000;

    private final Map<List<String>, Entry> latest = new LinkedHashMap<>();
    private int sweepAt = FEW;
    private final List<Subscription> subscriptions = new ArrayList<>();

    /**
     * @param key the elements of the record's key
     * @param record {@code null}: it is gone
     * @param appended the broker's time of it, epoch milliseconds
     */
    record Entry(List<String> key, @Nullable OperatorRecord record, long appended) {
        private boolean holds(long brokerTime) {
            return record != null
                    && LockValidity.holds(LockValidity.operatorEnd(record.ttlMillis(), appended), brokerTime);
        }
    }

    synchronized void add(Entry entry) {
        if (entry.record() == null) {
            latest.remove(entry.key());
        } else {
            latest.put(entry.key(), entry);
        }
        if (latest.size() > sweepAt) {
            latest.values().removeIf(one -> !one.holds(entry.appended()));
            sweepAt = Math.max(FEW, 2 * latest.size());
        }
        subscriptions.forEach(subscription -> subscription.waiting.add(entry));
    }

    synchronized Subscription subscribe() {
        Subscription subscription = new Subscription();
        subscription.waiting.addAll(latest.values());
        subscriptions.add(subscription);
        return subscription;
    }

    synchronized int size() {
        return latest.size();
    }

    private synchronized void unsubscribe(Subscription subscription) {
        subscriptions.remove(subscription);
    }

    /** One task's view. */
    final class Subscription implements AutoCloseable {
        private final Queue<Entry> waiting = new ConcurrentLinkedQueue<>();

        /** The next that the task has not seen, or {@code null}. */
        @Nullable
        Entry next() {
            return waiting.poll();
        }

        @Override
        public void close() {
            unsubscribe(this);
        }
    }
}
