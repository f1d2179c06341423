package io.sluice.agent.internal.log;

import io.sluice.contract.event.RequestEvent;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The queue of request events to be sent. Many threads add, one removes, and none waits. Events beyond the capacity are dropped and counted. Counts
 * are in requests: an event with {@code count} 5 counts as five.
 */
public final class LogQueue {
    private final Queue<RequestEvent> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final int capacity;
    private final LongAdder logged = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private volatile boolean closed;

    /** @param capacity most queued events */
    public LogQueue(int capacity) {
        this.capacity = capacity;
    }

    /** Adds an event, or drops it when the queue is full. */
    public void put(RequestEvent event) {
        logged.add(event.count());
        if (closed) {
            dropped.add(event.count());
        } else if (waiting.incrementAndGet() > capacity) {
            waiting.decrementAndGet();
            dropped.add(event.count());
        } else {
            queue.add(event);
            if (closed) {
                dropWaiting();
            }
        }
    }

    /** Drops and counts all queued and later events. Further calls have no effect. */
    public void close() {
        closed = true;
        dropWaiting();
    }

    private void dropWaiting() {
        for (RequestEvent event = take(); event != null; event = take()) {
            dropped.add(event.count());
        }
    }

    /** Removes the next event; {@code null} when the queue is empty. */
    public @Nullable RequestEvent take() {
        RequestEvent event = queue.poll();
        if (event != null) {
            waiting.decrementAndGet();
        }
        return event;
    }

    /** Counts a removed event that reached the broker. */
    public void sent(long requests) {
        sent.add(requests);
    }

    /** Counts a removed event that did not reach the broker. */
    public void dropped(long requests) {
        dropped.add(requests);
    }

    public long logged() {
        return logged.sum();
    }

    public long sent() {
        return sent.sum();
    }

    public long drops() {
        return dropped.sum();
    }
}
