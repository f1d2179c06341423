package io.sluice.analyzer.main;

import io.sluice.contract.topic.WallClockStep;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the wall clock was set back. Kafka Streams, too, measures by it how long it has waited: until it is as late again
 * as it was, it neither commits nor ticks nor sends heartbeats.
 */
final class ClockWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ClockWatch.class);

    private static final long SECOND_MILLIS = 1_000;

    private final WallClockStep clock;
    private final Runnable whenSetBack;
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "sluice-clock");
        thread.setDaemon(true);
        return thread;
    });
    private volatile boolean setBack;

    /** @param whenSetBack called once at most, on the watch's thread */
    ClockWatch(WallClockStep clock, Runnable whenSetBack) {
        this.clock = clock;
        this.whenSetBack = whenSetBack;
    }

    /** Watches the machine's clock until it is closed. */
    static ClockWatch start(Runnable whenSetBack) {
        ClockWatch watch = new ClockWatch(new WallClockStep(), whenSetBack);
        var unused =
                watch.looking.scheduleWithFixedDelay(watch::look, SECOND_MILLIS, SECOND_MILLIS, TimeUnit.MILLISECONDS);
        return watch;
    }

    void look() {
        long back = setBack ? 0 : clock.back();
        if (back > 0) {
            log.warn("the wall clock was set back by {} ms: starting anew, for Kafka's clients measure by it", back);
            setBack = true;
            whenSetBack.run();
        }
    }

    /** Returns whether it was set back. */
    boolean setBack() {
        return setBack;
    }

    @Override
    public void close() {
        looking.shutdown();
    }
}
