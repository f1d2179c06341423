package io.sluice.analyzer.exact;

import java.util.ArrayDeque;

/** All events with time in (t − W, t], and what they add up to. */
final class SlidingLog {
    private final long windowMillis;
    private final ArrayDeque<Counted> events = new ArrayDeque<>();
    private final ExactSum amount;
    private final ExactSum requests = ExactSum.of(Counted::requests);
    private final ExactSum micros = ExactSum.of(Counted::micros);

    SlidingLog(long windowMillis, ExactSum amount) {
        this.windowMillis = windowMillis;
        this.amount = amount;
    }

    void add(Counted event) {
        events.add(event);
        amount.enter(event);
        requests.enter(event);
        micros.enter(event);
    }

    /** Lets go of what is no longer in the window that ends at this time, which never goes back. */
    SlidingLog at(long time) {
        while (!events.isEmpty() && events.element().time() <= time - windowMillis) {
            Counted event = events.remove();
            amount.leave(event);
            requests.leave(event);
            micros.leave(event);
        }
        return this;
    }

    /** Of the policy's measure, in its smallest unit. */
    long amount() {
        return amount.value();
    }

    long requests() {
        return requests.value();
    }

    long micros() {
        return micros.value();
    }
}
