package io.sluice.agent.internal.log;

import io.sluice.contract.event.RequestEvent;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Merges rejected requests that differ in nothing a policy can refer to into one entry, so that an attack does not flood the log. Confined to one
 * thread.
 */
public final class Coalescer {
    private final Map<RequestEvent, OpenEntry> open = new LinkedHashMap<>();
    private final long windowNanos;
    private final int most;
    private final Consumer<RequestEvent> out;

    private static final class OpenEntry {
        private final long since;
        private RequestEvent newest;
        private long bytes;
        private long micros;
        private long cost;
        private long count;

        OpenEntry(RequestEvent first, long since) {
            this.newest = first;
            this.since = since;
        }
    }

    /**
     * @param windowNanos how long a rejection waits for others of its kind
     * @param most most kinds that wait; the oldest is flushed for a new one
     */
    public Coalescer(long windowNanos, int most, Consumer<RequestEvent> out) {
        this.windowNanos = windowNanos;
        this.most = most;
        this.out = out;
    }

    /** Adds an event; allowed requests are passed on at once. */
    public void add(RequestEvent event, long now) {
        if (!event.rejected()) {
            out.accept(event);
            return;
        }
        RequestEvent kind = with(event, 0, 0, 0, 1, 0);
        OpenEntry sum = open.get(kind);
        if (sum == null) {
            if (open.size() >= most) {
                flush(1, Long.MAX_VALUE);
            }
            sum = new OpenEntry(event, now);
            open.put(kind, sum);
        }
        if (event.time() > sum.newest.time()) {
            sum.newest = event;
        }
        sum.bytes += event.bytes();
        sum.micros += event.micros();
        sum.cost += event.cost();
        sum.count += event.count();
    }

    /** Flushes entries that have waited for a window. */
    public void flushDue(long now) {
        flush(Integer.MAX_VALUE, now - windowNanos);
    }

    /** Flushes all entries. */
    public void flush() {
        flush(Integer.MAX_VALUE, Long.MAX_VALUE);
    }

    private void flush(int atMost, long since) {
        Iterator<OpenEntry> sums = open.values().iterator();
        for (int i = 0; i < atMost && sums.hasNext(); i++) {
            OpenEntry sum = sums.next();
            if (sum.since > since) {
                return;
            }
            sums.remove();
            out.accept(with(
                    sum.newest,
                    sum.newest.time(),
                    Math.min(sum.bytes, RequestEvent.MAX_COST),
                    Math.min(sum.micros, RequestEvent.MAX_COST),
                    Math.min(sum.count, RequestEvent.MAX_COUNT),
                    Math.min(sum.cost, RequestEvent.MAX_COST)));
        }
    }

    private static RequestEvent with(RequestEvent event, long time, long bytes, long micros, long count, long cost) {
        return new RequestEvent(
                time,
                event.caller(),
                event.service(),
                event.route(),
                event.method(),
                event.ip(),
                event.status(),
                bytes,
                micros,
                event.agent(),
                event.outcome(),
                count,
                event.identity(),
                event.labels(),
                cost);
    }
}
