package io.sluice.benchmarks.reaction;

import java.util.concurrent.atomic.AtomicInteger;

/** One caller on its way over the threshold. Thread-safe. */
final class Crossing {
    /** The prefix of the names of all callers that are to be locked. */
    static final String PREFIX = "x-";

    final String caller;
    final boolean counts;
    /** Just before the event that crosses is sent, monotonic nanoseconds and epoch milliseconds. */
    final long sent;

    final double sentMillis;
    private final AtomicInteger open;
    private volatile long first;
    private volatile long all;
    private volatile long appended;

    /**
     * @param counts whether it is measured; if not, it only warms up
     * @param gates how many have to close
     */
    Crossing(String caller, boolean counts, int gates, long sent, double sentMillis) {
        this.caller = caller;
        this.counts = counts;
        this.open = new AtomicInteger(gates);
        this.sent = sent;
        this.sentMillis = sentMillis;
    }

    /** One more gate is closed. */
    void closed(long nanoTime) {
        if (first == 0) {
            first = nanoTime;
        }
        if (open.decrementAndGet() == 0) {
            all = nanoTime;
        }
    }

    /** The broker has appended the event that crosses, epoch milliseconds. */
    void appended(long millis) {
        appended = millis;
    }

    long appended() {
        return appended;
    }

    /** Returns whether every gate is closed. */
    boolean done() {
        return all != 0;
    }

    /** From the sending until the first gate was closed, nanoseconds. */
    long untilFirst() {
        return first - sent;
    }

    /** From the sending until every gate was closed, nanoseconds. */
    long untilAll() {
        return all - sent;
    }
}
