package io.sluice.agent.internal.gate;

import java.util.concurrent.atomic.AtomicInteger;

/** The number of gates in all tables of an agent, and its bound. Thread-safe. */
class GateCount {
    private final AtomicInteger gates = new AtomicInteger();
    private final int most;

    GateCount(int most) {
        this.most = most;
    }

    boolean full() {
        return gates.get() >= most;
    }

    /** Reserves room for a gate; false when there is none. */
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

    /** Adds one beyond the bound if necessary: decisions come from the analyzer, not from clients. */
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
