package io.sluice.analyzer.main;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The process is told to end: what runs then stops cleanly, and nothing is started after it. One for the life of a process, whichever
 * analyzer runs in it: a JVM that is ending takes neither new hooks nor old ones back. Thread-safe.
 */
final class StopSignal {
    private final CountDownLatch ended = new CountDownLatch(1);
    private boolean told;
    private @Nullable Runnable close;

    /** Makes SIGTERM and SIGINT tell it. */
    void listen() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::tell, "sluice-stop"));
    }

    /**
     * From now on this is closed when the process is told to end.
     *
     * @return false when it was told before: then it is for the caller to close it
     */
    synchronized boolean running(Runnable closing) {
        close = closing;
        return !told;
    }

    /** Nothing runs now. */
    synchronized void stopped() {
        close = null;
    }

    /** Whether the process was told to end. */
    synchronized boolean told() {
        return told;
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
            told = true;
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
