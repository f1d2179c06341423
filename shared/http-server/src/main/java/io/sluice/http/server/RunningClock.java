package io.sluice.http.server;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A monotonic clock of the time in which this process ran: it is to be read every second or so, and moves on by two seconds at most from one reading
 * to the next. So clients do not count as slow while the process or its machine stands still. In nanoseconds from 0. Thread-safe.
 */
public final class RunningClock implements LongSupplier {
    private static final long MOST = Duration.ofSeconds(2).toNanos();

    private final LongSupplier nanos;
    private long read;
    private long running;

    /** @param nanos a monotonic clock that goes on meanwhile, such as {@link System#nanoTime} */
    public RunningClock(LongSupplier nanos) {
        this.nanos = nanos;
        read = nanos.getAsLong();
    }

    @Override
    public synchronized long getAsLong() {
        long now = nanos.getAsLong();
        running += Math.min(now - read, MOST);
        read = now;
        return running;
    }
}
