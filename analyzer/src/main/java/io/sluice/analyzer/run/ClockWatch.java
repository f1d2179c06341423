package io.sluice.analyzer.run;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that somebody has set the wall clock back. Kafka's clients and Kafka Streams measure by it how long they have waited: until it
 * is as late again as it was, they commit nothing, tick for nobody and send no sign of life. New ones begin at the new time. A clock
 * that is set forward only makes them hurry once.
 */
final class ClockWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ClockWatch.class);

    /** So long they may as well wait. */
    static final long BACK_MILLIS = 2_000;

    private static final long SECOND_MILLIS = 1_000;

    private final LongSupplier wallMillis;
    private final LongSupplier nanoTime;
    private final Runnable whenSetBack;
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "sluice-clock");
        thread.setDaemon(true);
        return thread;
    });
    private long wall;
    private long nanos;
    private volatile boolean setBack;

    /** @param whenSetBack called once at most, on the watch's thread */
    ClockWatch(LongSupplier wallMillis, LongSupplier nanoTime, Runnable whenSetBack) {
        this.wallMillis = wallMillis;
        this.nanoTime = nanoTime;
        this.whenSetBack = whenSetBack;
        wall = wallMillis.getAsLong();
        nanos = nanoTime.getAsLong();
    }

    /** Watches the machine's clock until it is closed. */
    static ClockWatch start(Runnable whenSetBack) {
        ClockWatch watch = new ClockWatch(System::currentTimeMillis, System::nanoTime, whenSetBack);
        var unused =
                watch.looking.scheduleWithFixedDelay(watch::look, SECOND_MILLIS, SECOND_MILLIS, TimeUnit.MILLISECONDS);
        return watch;
    }

    void look() {
        long before = nanoTime.getAsLong();
        long now = wallMillis.getAsLong();
        long after = nanoTime.getAsLong();
        // one that was frozen between two readings has to read again
        if (setBack || TimeUnit.NANOSECONDS.toMillis(after - before) > BACK_MILLIS / 2) {
            return;
        }
        long step = now - wall - TimeUnit.NANOSECONDS.toMillis(before - nanos);
        wall = now;
        nanos = before;
        if (step < -BACK_MILLIS) {
            log.warn("the wall clock was set back by {} ms: starting anew, for Kafka's clients measure by it", -step);
            setBack = true;
            whenSetBack.run();
        }
    }

    /** Whether it was set back. */
    boolean setBack() {
        return setBack;
    }

    @Override
    public void close() {
        looking.shutdown();
    }
}
