package io.sluice.agent.internal.lease;

import io.sluice.contract.lock.BrokerClock;

/**
 * The broker time of one partition of gate-locks. Its own records are the best source while they come; the agent's
 * heartbeats, which another broker appends, keep it right when they do not. The two brokers' clocks may differ: the
 * difference is measured while both are heard. Confined to the monitor of {@link BrokerClocks}, except the clock itself.
 */
final class PartitionClock {
    final BrokerClock clock = new BrokerClock();
    // whether a record was appended after the reading began; then a slow clock elsewhere never sets this one back
    private boolean live;
    private boolean heard;
    private long difference;

    /** A record of the partition arrived that may have been appended long ago: it never sets the clock back. */
    void old(long append, long now) {
        if (append > clock.now(now)) {
            clock.heard(append, now);
        }
    }

    /** A record of the partition arrived that was just appended. */
    void live(long append, long now) {
        clock.heard(append, now);
        live = true;
        heard = true;
    }

    /** Another partition's record, appended just now, says what time it is. */
    void elsewhere(long time, long now) {
        if (!live) {
            clock.heard(time, now);
        }
    }

    /**
     * The agent's own heartbeat was appended.
     *
     * @param time broker time by all heartbeats so far
     * @param steady whether the monotonic clock kept up with broker time since the heartbeat before
     */
    void heartbeat(long time, long now, boolean steady) {
        if (!live) {
            clock.heard(time, now);
        } else if (!heard) {
            old(time + difference, now);
        } else if (steady) {
            difference = clock.now(now) - time;
        }
        // else this machine slept, or the heartbeats' broker has another time than before: the next heartbeat tells
        // them apart, because a
        // partition that is still heard has its own time
        heard = false;
    }
}
