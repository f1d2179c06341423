package io.sluice.analyzer.api;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One listener's queue of events. It is filled by one thread, which never waits, and emptied by another. */
final class Listening {
    /** What comes while a listener is being written to, beside all that it may have missed. */
    private static final int ROOM = 256;

    private final String from;
    private final boolean gap;
    private final BlockingQueue<GateEvent> queue;
    private volatile boolean lost;

    /**
     * @param from the place where it begins
     * @param gap whether something before {@code missed} is not kept any more
     */
    Listening(String from, boolean gap, List<GateEvent> missed) {
        this.from = from;
        this.gap = gap;
        queue = new ArrayBlockingQueue<>(ROOM + missed.size(), false, missed);
    }

    void hear(GateEvent event) {
        if (!lost && !queue.offer(event)) {
            lost = true;
        }
    }

    /** The events are of another log from now on. */
    void loseAll() {
        lost = true;
    }

    String from() {
        return from;
    }

    boolean gap() {
        return gap;
    }

    /** Whether an event found no room: what comes after it would leave it out. */
    boolean lost() {
        return lost;
    }

    /** The next event, or {@code null} when none comes for so long. */
    @Nullable
    GateEvent next(long millis) throws InterruptedException {
        return queue.poll(millis, TimeUnit.MILLISECONDS);
    }
}
