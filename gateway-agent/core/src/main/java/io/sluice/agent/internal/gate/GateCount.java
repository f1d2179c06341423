package io.sluice.agent.internal.gate;

import java.util.concurrent.atomic.AtomicInteger;

/** How many gates there are in all tables of an agent, and how many there may be. Thread-safe. */
class GateCount {
    private final AtomicInteger gates = new AtomicInteger();
    private final int most;

    GateCount(int most) {
        this.most = most;
    }

    boolean full() {
        return gates.get() >= most;
    }

    /** Makes room for one more if there is any. */
    boolean reserve() {
        if (full()) {
            return false;
        }
        if (gates.incrementAndGet() <= most) {
            return true;
        }
        gates.decrementAndGet();
        return false;
    }

    /** One more, even past the cap: decisions come from us, not from clients. */
    void force() {
        gates.incrementAndGet();
    }

    void free(int count) {
        gates.addAndGet(-count);
    }

    int value() {
        return gates.get();
    }

    boolean crowded() {
        return gates.get() > most / 2;
    }
}
