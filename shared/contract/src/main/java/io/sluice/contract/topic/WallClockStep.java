package io.sluice.contract.topic;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Notices that the wall clock was set back. Kafka's clients measure by it how long they have waited: until it is as late again as
 * it was, they may wait for an answer, for a connection or for the next poll. New ones begin at the new time. A clock that is set forward
 * only makes them hurry once. One thread.
 */
public final class WallClockStep {
    /** So long they may as well wait. */
    static final long MOST_MILLIS = 2_000;

    private final LongSupplier wallMillis;
    private final LongSupplier nanoTime;
    private long wall;
    private long nanos;

    /** Of the machine's clocks. */
    public WallClockStep() {
        this(System::currentTimeMillis, System::nanoTime);
    }

    /**
     * Of any clocks.
     *
     * @param wallMillis the clock that can be set
     * @param nanoTime one that can't
     */
    public WallClockStep(LongSupplier wallMillis, LongSupplier nanoTime) {
        this.wallMillis = wallMillis;
        this.nanoTime = nanoTime;
        wall = wallMillis.getAsLong();
        nanos = nanoTime.getAsLong();
    }

    /** By how many milliseconds the clock was set back since the last look; 0 when it was not, or by two seconds at most. */
    public long back() {
        long before = nanoTime.getAsLong();
        long now = wallMillis.getAsLong();
        long after = nanoTime.getAsLong();
        // one that was frozen between two readings has to read again
        if (TimeUnit.NANOSECONDS.toMillis(after - before) > MOST_MILLIS / 2) {
            return 0;
        }
        long step = now - wall - TimeUnit.NANOSECONDS.toMillis(before - nanos);
        wall = now;
        nanos = before;
        return step < -MOST_MILLIS ? -step : 0;
    }
}
