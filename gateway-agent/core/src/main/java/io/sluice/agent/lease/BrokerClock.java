package io.sluice.agent.lease;

/**
 * Broker time, told from the append times of records and our own monotonic clock alone: wall clocks of agents and
 * analyzers may be wrong or jump, and nothing changes. One thread writes, any reads.
 *
 * <p>A record that was long on its way makes broker time look earlier than it is, never later; so the latest guess
 * counts. Guesses older than one to two minutes are dropped, so that a broker whose clock was set back is believed again.
 */
public final class BrokerClock {
    /** Nothing was heard yet. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    private static final long KEEP_MILLIS = 60_000;

    private volatile long offset = UNKNOWN;
    private long current = UNKNOWN;
    private long previous = UNKNOWN;
    private long turnedAt;

    /**
     * Takes in a record's arrival.
     *
     * @param append when the broker appended it, epoch milliseconds
     * @param now monotonic nanoseconds at which it arrived
     */
    public synchronized void heard(long append, long now) {
        long millis = now / 1_000_000;
        if (current == UNKNOWN || millis - turnedAt >= KEEP_MILLIS) {
            previous = current;
            current = append - millis;
            turnedAt = millis;
        } else {
            current = Math.max(current, append - millis);
        }
        offset = Math.max(current, previous);
    }

    /** Broker time in epoch milliseconds at the monotonic time {@code now} in nanoseconds, or {@link #UNKNOWN}. */
    public long at(long now) {
        long known = offset;
        return known == UNKNOWN ? UNKNOWN : known + now / 1_000_000;
    }
}
