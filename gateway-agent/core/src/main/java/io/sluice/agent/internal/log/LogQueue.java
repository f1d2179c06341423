package io.sluice.agent.internal.log;

import io.sluice.contract.event.RequestEvent;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Request events waiting to leave. Many threads put, one takes; nobody waits for anybody. What does not fit is dropped
 * and counted. Counts are in requests: an event of {@code count} 5 is five.
 */
public final class LogQueue {
    private final Queue<RequestEvent> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final int capacity;
    private final LongAdder logged = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private volatile boolean closed;

    /** @param capacity most events waiting */
    public LogQueue(int capacity) {
        this.capacity = capacity;
    }

    /** Puts an event in line, or drops it when the line is full. */
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

    /** Drops and counts what waits and all that comes later: it will not be taken any more. Can be called more than once. */
    public void close() {
        closed = true;
        dropWaiting();
    }

    private void dropWaiting() {
        for (RequestEvent event = take(); event != null; event = take()) {
            dropped.add(event.count());
        }
    }

    /** The next event, or {@code null} when none waits. */
    public @Nullable RequestEvent take() {
        RequestEvent event = queue.poll();
        if (event != null) {
            waiting.decrementAndGet();
        }
        return event;
    }

    /** An event that was taken reached the broker. */
    public void sent(long requests) {
        sent.add(requests);
    }

    /** An event that was taken did not reach the broker. */
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
