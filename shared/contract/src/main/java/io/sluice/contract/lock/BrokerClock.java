package io.sluice.contract.lock;

/**
 * Broker time, derived from the append times of records and our own monotonic clock alone: the wall clocks of agents and
 * analyzers may be wrong or jump, and nothing changes. Thread-safe; asking takes no lock and allocates nothing.
 *
 * <p>A record that was long on its way makes broker time look earlier than it is, never later; so the latest guess
 * counts. Guesses older than one to two minutes are dropped, so that a broker whose clock was set back is believed again.
 */
public final class BrokerClock {
    /** No record has been read yet. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    private static final long KEEP_MILLIS = 60_000;
    private static final long NANOS_A_MILLI = 1_000_000;

    // written once, before offset: a thread that sees an offset sees this too
    private long origin;
    private volatile long offset = UNKNOWN;
    private long current = UNKNOWN;
    private long previous = UNKNOWN;
    private long turnedAt;

    /**
     * Takes in a record's arrival.
     *
     * @param append when the broker appended it, epoch milliseconds
     * @param nanoTime {@link System#nanoTime} when it arrived
     */
    public synchronized void heard(long append, long nanoTime) {
        if (current == UNKNOWN) {
            origin = nanoTime;
        }
        long elapsed = elapsed(nanoTime);
        if (current == UNKNOWN || elapsed - turnedAt >= KEEP_MILLIS) {
            previous = current;
            current = append - elapsed;
            turnedAt = elapsed;
        } else {
            current = Math.max(current, append - elapsed);
        }
        offset = Math.max(current, previous);
    }

    /** Broker time in epoch milliseconds at this {@link System#nanoTime}, or {@link #UNKNOWN}. */
    public long now(long nanoTime) {
        long known = offset;
        return known == UNKNOWN ? UNKNOWN : known + elapsed(nanoTime);
    }

    /** Only a difference of two nanoTimes means anything: each alone may overflow at any moment. */
    private long elapsed(long nanoTime) {
        return Math.floorDiv(nanoTime - origin, NANOS_A_MILLI);
    }
}
