package io.sluice.analyzer.main;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The end of the process: running services stop cleanly, and none is started after it. One for the life of a process, whichever
 * analyzer runs in it: a JVM that is ending takes neither new hooks nor old ones back. Thread-safe.
 */
final class StopSignal {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private @Nullable Runnable close;

    /** Reacts to SIGTERM and SIGINT. */
    void listen() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::tell, "sluice-stop"));
    }

    /**
     * Sets the service that is closed at the end of the process.
     *
     * @return false when the end has begun: then the caller must close it
     */
    synchronized boolean running(Runnable closing) {
        close = closing;
        return !told();
    }

    /** Nothing runs now. */
    synchronized void stopped() {
        close = null;
    }

    /** Returns whether the end has begun. */
    boolean told() {
        return begun.getCount() == 0;
    }

    /** Waits until the end begins, for at most this long; returns whether it has begun. */
    boolean await(Duration timeout) throws InterruptedException {
        return begun.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Everything has ended: the process need not wait any more. */
    void ended() {
        ended.countDown();
    }

    /**
     * Closes what runs and waits for all the rest: the process must not end before it, for an embedded broker stops after the
     * analyzer. Returns at once when nothing runs.
     */
    void tell() {
        Runnable closing;
        synchronized (this) {
            begun.countDown();
            closing = close;
        }
        if (closing == null) {
            return;
        }
        closing.run();
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
