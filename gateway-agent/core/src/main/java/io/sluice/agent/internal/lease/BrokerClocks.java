package io.sluice.agent.internal.lease;

import io.sluice.contract.lock.BrokerClock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A clock for each partition of gate-locks, and one for everything else. The agent's own heartbeats correct all of them: when no records arrive,
 * and after the monotonic clock stood still because the machine slept. Thread-safe.
 */
public final class BrokerClocks {
    // far more than a heartbeat takes, far less than any lease
    private static final long STEADY_MILLIS = 1_000;

    private final BrokerClock common = new BrokerClock();
    private final BrokerClock heartbeats = new BrokerClock();
    private final Map<Integer, PartitionClock> partitions = new ConcurrentHashMap<>();

    /** Returns the clock that the agent's own heartbeats and all live records set. */
    public BrokerClock common() {
        return common;
    }

    /** Returns the clock of a partition of gate-locks. */
    public BrokerClock of(int partition) {
        return partition(partition).clock;
    }

    private PartitionClock partition(int partition) {
        return partitions.computeIfAbsent(partition, it -> new PartitionClock());
    }

    /**
     * Records an append of a partition.
     *
     * @param append when the broker appended the record, epoch milliseconds
     * @param now monotonic nanoseconds
     * @param isLive whether it was appended after reading began, so that it is not old
     */
    public synchronized void heard(int partition, long append, long now, boolean isLive) {
        PartitionClock clock = partition(partition);
        if (isLive) {
            clock.live(append, now);
            common.heard(append, now);
            partitions.values().forEach(each -> each.elsewhere(append, now));
        } else {
            clock.old(append, now);
            if (common.now(now) != BrokerClock.UNKNOWN) {
                clock.elsewhere(common.now(now), now);
            }
        }
    }

    /**
     * Records the append of the agent's own heartbeat.
     *
     * @param append when the broker appended it, epoch milliseconds
     * @param now monotonic nanoseconds
     */
    public synchronized void anchored(long append, long now) {
        long expected = heartbeats.now(now);
        boolean steady = expected == BrokerClock.UNKNOWN || append - expected < STEADY_MILLIS;
        heartbeats.heard(append, now);
        common.heard(append, now);
        long time = heartbeats.now(now);
        partitions.values().forEach(each -> each.heartbeat(time, now, steady));
    }

    /** Returns whether broker time is known, by the agent's own heartbeat or a live record. */
    public boolean anchored() {
        return common.now(0) != BrokerClock.UNKNOWN;
    }
}
