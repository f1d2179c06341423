package io.sluice.benchmarks.strategies;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A thread that asks a client on behalf of one caller every {@value #PACE_MILLIS} ms, or later while an answer is late. */
final class Pacer {
    private static final long PACE_MILLIS = 5;
    private static final long PATIENCE_MILLIS = 5_000;

    private final QuotaClient client;
    private final RequestLog log;
    private final Thread thread = new Thread(this::ask, "pacer");
    private volatile boolean stopped;

    Pacer(QuotaClient client, RequestLog log) {
        this.client = client;
        this.log = log;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void ask() {
        long next = System.nanoTime();
        while (!stopped) {
            long asked = System.nanoTime();
            boolean granted = client.acquire("acme");
            long answered = System.nanoTime();
            log.add(asked, answered, granted);
            next = Math.max(next + TimeUnit.MILLISECONDS.toNanos(PACE_MILLIS), answered);
            while (!stopped && next - System.nanoTime() > 0) {
                LockSupport.parkNanos(next - System.nanoTime());
            }
        }
    }

    /** Stops asking, and waits for the last answer. */
    void stop() {
        stopped = true;
        try {
            thread.join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
