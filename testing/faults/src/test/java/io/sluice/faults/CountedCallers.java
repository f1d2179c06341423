package io.sluice.faults;

import io.sluice.faults.net.RequestLog;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Callers that each call so often and not once more, at a steady rate: with a limit just above or just below that, the locks show
 * what was counted twice or not at all.
 */
final class CountedCallers implements AutoCloseable {
    private static final long SECOND = 1_000_000_000;

    private final RequestLog log;
    private final List<String> names;
    private final AtomicLong each = new AtomicLong();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private Thread thread = new Thread(() -> {});

    CountedCallers(RequestLog log, int many) {
        this.log = log;
        this.names = IntStream.range(0, many).mapToObj(i -> "counted-" + i).toList();
    }

    List<String> names() {
        return names;
    }

    /** From now on each calls so often a second, until it has called so often in all. */
    void begin(int perSecond, long inAll) {
        stopped.set(false);
        thread = new Thread(() -> steadily(perSecond, inAll), "counted callers");
        thread.setDaemon(true);
        thread.start();
    }

    private void steadily(int perSecond, long inAll) {
        long next = System.nanoTime();
        while (!stopped.get() && each.get() < inAll) {
            LockSupport.parkNanos(next - System.nanoTime());
            if (System.nanoTime() >= next) {
                call();
                next += SECOND / perSecond;
            }
        }
    }

    private void call() {
        long now = System.currentTimeMillis();
        names.forEach(name -> log.add(name, now));
        each.incrementAndGet();
    }

    /** Whether they are still calling. */
    boolean calling() {
        return thread.isAlive();
    }

    /** Ends the steady calls; what is missing to this number follows at once, and is stored when this returns. */
    void upTo(long inAll) {
        close();
        while (each.get() < inAll) {
            call();
        }
        log.flush();
    }

    /** How often each has called. */
    long each() {
        return each.get();
    }

    @Override
    public void close() {
        stopped.set(true);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
