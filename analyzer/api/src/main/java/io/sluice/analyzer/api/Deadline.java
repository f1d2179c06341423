package io.sluice.analyzer.api;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Until when the current thread must be done with something. After that it is interrupted, which closes the connection that it is writing
 * to: a stalled client cannot block others. To be closed by the thread that opened it.
 *
 * <p>The JDK's server has a setting of its own for the time that an answer may take. It holds for all answers, and a stream of events has
 * no end.
 */
public final class Deadline implements AutoCloseable {
    private static final ScheduledExecutorService WATCH = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "sluice-http-deadline");
        thread.setDaemon(true);
        return thread;
    });

    private final Thread thread = Thread.currentThread();
    private final ScheduledFuture<?> bell;
    private boolean done;

    private Deadline(Duration time) {
        bell = WATCH.schedule(this::late, time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** From now on. */
    public static Deadline in(Duration time) {
        return new Deadline(time);
    }

    private synchronized void late() {
        if (!done) {
            thread.interrupt();
        }
    }

    /** It is done, or has failed; the thread goes on with something else, uninterrupted. */
    @Override
    public void close() {
        bell.cancel(false);
        synchronized (this) {
            done = true;
        }
        Thread.interrupted();
    }
}
