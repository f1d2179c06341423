package io.sluice.agent.internal.limit;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The well-known ring of timestamps without locks, to show what is wrong with it: head and tail are read, compared, and then
 * written by plain exchanges, so of two threads that read the same head one writes over the other's permit.
 */
final class RecordingRing {
    private final long[] times;
    private final AtomicInteger head = new AtomicInteger();
    private final AtomicInteger tail = new AtomicInteger();
    private final long window;
    private final Runnable betweenReadAndExchange;

    RecordingRing(int permits, long window, Runnable betweenReadAndExchange) {
        // one place stays empty, to tell full from empty
        times = new long[permits + 1];
        this.window = window;
        this.betweenReadAndExchange = betweenReadAndExchange;
    }

    boolean take(long now) {
        int oldest = tail.get();
        while (oldest != head.get() && times[oldest] <= now - window) {
            oldest = (oldest + 1) % times.length;
            tail.getAndSet(oldest);
        }
        int place = head.get();
        int next = (place + 1) % times.length;
        if (next == tail.get()) {
            return false;
        }
        times[place] = now;
        betweenReadAndExchange.run();
        head.getAndSet(next);
        return true;
    }
}
