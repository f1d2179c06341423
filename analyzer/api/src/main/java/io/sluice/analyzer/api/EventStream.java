package io.sluice.analyzer.api;

import io.sluice.http.server.Connections;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * The events for one client. They wait in a queue and are written as fast as the client reads; no thread waits for it. A client that
 * leaves no room in its queue, or takes nothing for ten seconds, is dropped. Thread-safe.
 */
final class EventStream implements Callback {
    /** The room for events that arrive while the client is being written to, beside all events that it may have missed. */
    private static final int ROOM = 256;

    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static final String RETRY_MILLIS = "1000";
    private static final Supplier<byte[]> HERE = text(": here\n\n");
    private static final Supplier<byte[]> DROPPED = text(": dropped, for you read too slowly; come again\n\n");
    private static final String GAP =
            "event: gap\ndata: {\"error\":\"what came before is not kept any more; read /api/v1/locks\"}\n\n";

    private final @Nullable OffsetVector after;
    private final Request request;
    private final Response response;
    private final Callback exchange;
    private final Consumer<EventStream> gone;
    private final LongSupplier nanoTime;
    private final Deque<Supplier<byte[]>> queue = new ArrayDeque<>();
    private int room = ROOM;
    private boolean writing;
    private boolean ended;
    private long since;

    /**
     * The start of a stream.
     *
     * @param from the event id
     * @param gap whether some missed events are no longer available
     */
    record Beginning(String from, boolean gap) {}

    /**
     * @param after the id of the last event that the client received; {@code null} for none
     * @param exchange completed when the stream ends
     * @param gone is called once when the stream has ended
     */
    EventStream(
            @Nullable OffsetVector after,
            Request request,
            Response response,
            Callback exchange,
            Consumer<EventStream> gone,
            LongSupplier nanoTime) {
        this.after = after;
        this.request = request;
        this.response = response;
        this.exchange = exchange;
        this.gone = gone;
        this.nanoTime = nanoTime;
    }

    @Nullable
    OffsetVector after() {
        return after;
    }

    /** Starts with missed events, then new ones. */
    synchronized void begin(Beginning where, List<GateEvent> missed) {
        room = ROOM + missed.size();
        // an id without data is no event, but a client reconnects with it when it has received none
        String first = "retry: " + RETRY_MILLIS + "\nid: " + where.from() + "\n\n";
        queue.add(text(where.gap() ? first + GAP : first));
        missed.forEach(event -> queue.add(event::text));
        write();
    }

    synchronized void hear(GateEvent event) {
        if (ended) {
            return;
        }
        if (queue.size() < room) {
            queue.add(event::text);
            write();
        } else {
            end(DROPPED);
        }
    }

    /** Ends the stream: the topic was replaced. */
    void loseAll() {
        end(DROPPED);
    }

    /** Ends the stream: the analyzer does. */
    void close() {
        end(text(": the analyzer ends\n\n"));
    }

    private synchronized void end(Supplier<byte[]> farewell) {
        if (!ended) {
            ended = true;
            queue.clear();
            queue.add(farewell);
            write();
        }
    }

    /** To be called regularly: a client that is gone is noticed when it is written to. */
    void beat() {
        boolean stuck;
        synchronized (this) {
            stuck = writing && nanoTime.getAsLong() - since > PATIENCE_NANOS;
            if (!writing) {
                queue.add(HERE);
                write();
            }
        }
        if (stuck) {
            // fails what is being written, perhaps on this thread, which must not hold the monitor then
            request.getConnectionMetaData().getConnection().getEndPoint().close();
        }
    }

    private void write() {
        if (!writing) {
            writing = true;
            since = nanoTime.getAsLong();
            try {
                request.getComponents().getExecutor().execute(this::writeNext);
            } catch (RejectedExecutionException e) {
                // the server has stopped, and the connection with it
                ended = true;
            }
        }
    }

    private void writeNext() {
        Supplier<byte[]> next;
        boolean last;
        synchronized (this) {
            next = queue.remove();
            last = ended && queue.isEmpty();
            since = nanoTime.getAsLong();
        }
        response.write(last, ByteBuffer.wrap(next.get()), last ? Callback.from(this::complete, this::failed) : this);
    }

    @Override
    public void succeeded() {
        Connections.alive(request);
        synchronized (this) {
            writing = false;
            if (!queue.isEmpty()) {
                write();
            }
        }
    }

    private void complete() {
        gone.accept(this);
        exchange.succeeded();
    }

    @Override
    public void failed(Throwable why) {
        gone.accept(this);
        exchange.failed(why);
    }

    private static Supplier<byte[]> text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return () -> bytes;
    }
}
