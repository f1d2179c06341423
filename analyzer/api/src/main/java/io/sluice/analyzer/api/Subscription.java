package io.sluice.analyzer.api;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One listener's queue of events. It is filled by one thread, which never waits, and emptied by another. */
final class Subscription {
    /** What comes while a listener is being written to, beside all that it may have missed. */
    private static final int ROOM = 256;

    private final @Nullable OffsetVector after;
    private final BlockingQueue<Beginning> beginning = new LinkedBlockingQueue<>();
    private final BlockingQueue<GateEvent> queue = new LinkedBlockingQueue<>();
    private int room = ROOM;
    private volatile boolean lost;

    /**
     * Where it begins.
     *
     * @param from the place
     * @param gap whether something that was missed is not kept any more
     */
    record Beginning(String from, boolean gap) {}

    /** @param after the place of the last event that was heard; {@code null} for none */
    Subscription(@Nullable OffsetVector after) {
        this.after = after;
    }

    @Nullable
    OffsetVector after() {
        return after;
    }

    /** From now on it hears what happens, and before that what it has missed. */
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

    /** The events are of another log from now on. */
    void loseAll() {
        lost = true;
    }

    /** Whether an event found no room: what comes after it would leave it out. */
    boolean lost() {
        return lost;
    }

    /** Where it begins, once, or {@code null} when that is not known for so long. */
    @Nullable
    Beginning beginning(long millis) throws InterruptedException {
        return beginning.poll(millis, TimeUnit.MILLISECONDS);
    }

    /** The next event, or {@code null} when none comes for so long. */
    @Nullable
    GateEvent next(long millis) throws InterruptedException {
        return queue.poll(millis, TimeUnit.MILLISECONDS);
    }
}
