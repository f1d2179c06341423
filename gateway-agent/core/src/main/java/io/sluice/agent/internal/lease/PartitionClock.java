package io.sluice.agent.internal.lease;

import io.sluice.contract.lock.BrokerClock;

/**
 * The broker time of one partition of gate-locks. Its own records are the best source while they arrive; the agent's heartbeats, which another broker
 * appends, correct it otherwise. The two brokers' clocks may differ: the difference is measured while both are available. Confined to the
 * monitor of {@link BrokerClocks}, except the clock itself.
 */
final class PartitionClock {
    final BrokerClock clock = new BrokerClock();
    // whether a record was appended after the reading began; then a slow clock elsewhere never sets this one back
    private boolean live;
    private boolean heard;
    private long difference;

    /** Records an append of this partition that may be old: it never sets the clock back. */
    void old(long append, long now) {
        if (append > clock.now(now)) {
            clock.heard(append, now);
        }
    }

    /** Records an append of this partition that has just happened. */
    void live(long append, long now) {
        clock.heard(append, now);
        live = true;
        heard = true;
    }

    /** Sets the time by an append of another partition that has just happened. */
    void elsewhere(long time, long now) {
        if (!live) {
            clock.heard(time, now);
        }
    }

    /**
     * Records the append of the agent's own heartbeat.
     *
     * @param time broker time by all heartbeats so far
     * @param steady whether the monotonic clock kept pace with broker time since the previous heartbeat
     */
    void heartbeat(long time, long now, boolean steady) {
        if (!live) {
            clock.heard(time, now);
        } else if (!heard) {
            old(time + difference, now);
        } else if (steady) {
            difference = clock.now(now) - time;
        }
        // else this machine slept, or the heartbeats' broker has another time than before: the next heartbeat
        // distinguishes them, because a partition that still gets heartbeats has its own time
        heard = false;
    }
}
