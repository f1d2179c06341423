package io.sluice.agent.lease;

import io.sluice.contract.lock.BrokerClock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A clock for each partition of gate-locks, and one for everything else. Before a partition's own records come in live,
 * the newest of them may be old; until then its clock also takes the append time of the agent's own heartbeat, and of
 * what comes in live elsewhere. Thread-safe.
 */
public final class BrokerClocks {
    private final BrokerClock common = new BrokerClock();
    private final Map<Integer, BrokerClock> partitions = new ConcurrentHashMap<>();
    private final Map<Integer, Boolean> live = new ConcurrentHashMap<>();

    /** The clock that the agent's own heartbeats and all live records set. */
    public BrokerClock common() {
        return common;
    }

    /** The clock of a partition of gate-locks. */
    public BrokerClock of(int partition) {
        return partitions.computeIfAbsent(partition, it -> new BrokerClock());
    }

    /**
     * A record of the partition arrived.
     *
     * @param isLive whether it was appended after the reading began, so that it can't be old
     */
    public void heard(int partition, long append, long now, boolean isLive) {
        BrokerClock clock = of(partition);
        clock.heard(append, now);
        if (isLive) {
            live.put(partition, true);
            // it says what time it is for all the rest as well as our own heartbeat does
            anchored(append, now);
        } else if (common.now(now) != BrokerClock.UNKNOWN && !live.containsKey(partition)) {
            clock.heard(common.now(now), now);
        }
    }

    /** The broker appended something now, such as our own heartbeat, and said when. */
    public void anchored(long append, long now) {
        common.heard(append, now);
        partitions.forEach((partition, clock) -> {
            if (!live.containsKey(partition)) {
                clock.heard(append, now);
            }
        });
    }

    /** Whether broker time has been told, by our own heartbeat or a live record. */
    public boolean anchored() {
        return common.now(0) != BrokerClock.UNKNOWN;
    }
}
