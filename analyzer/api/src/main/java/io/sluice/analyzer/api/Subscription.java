package io.sluice.analyzer.api;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A client's queue of events, filled by one thread, which never waits, and drained by another. */
final class Subscription {
    /** The room for events that arrive while the client is being written to, beside all events that it may have missed. */
    private static final int ROOM = 256;

    private final @Nullable OffsetVector after;
    private final BlockingQueue<Beginning> beginning = new LinkedBlockingQueue<>();
    private final BlockingQueue<GateEvent> queue = new LinkedBlockingQueue<>();
    private int room = ROOM;
    private volatile boolean lost;

    /**
     * The start of a subscription.
     *
     * @param from the event id
     * @param gap whether some missed events are no longer available
     */
    record Beginning(String from, boolean gap) {}

    /** @param after the id of the last event that the client received; {@code null} for none */
    Subscription(@Nullable OffsetVector after) {
        this.after = after;
    }

    @Nullable
    OffsetVector after() {
        return after;
    }

    /** Starts the subscription: missed events first, then new ones. */
    void begin(Beginning where, List<GateEvent> missed) {
        queue.addAll(missed);
        room = ROOM + missed.size();
        beginning.add(where);
    }

    void hear(GateEvent event) {
        if (!lost && queue.size() < room) {
            queue.add(event);
        } else {
            lost = true;
        }
    }

    /** Drops all events: the topic was replaced. */
    void loseAll() {
        lost = true;
    }

    /** Returns whether an event was dropped for lack of room, after which the stream would be incomplete. */
    boolean lost() {
        return lost;
    }

    /** Returns the start, once; {@code null} after the timeout. */
    @Nullable
    Beginning beginning(long millis) throws InterruptedException {
        return beginning.poll(millis, TimeUnit.MILLISECONDS);
    }

    /** Returns the next event; {@code null} after the timeout. */
    @Nullable
    GateEvent next(long millis) throws InterruptedException {
        return queue.poll(millis, TimeUnit.MILLISECONDS);
    }
}
