package io.sluice.agent.gate;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Keys to look up with, lent for the time of a look-up. Threads are spread over the slots; one that finds its slot empty
 * makes its own key. (A ThreadLocal would stay behind in the host's threads after the agent was closed.)
 */
final class Probes {
    private static final int SLOTS = 64;

    private final AtomicReferenceArray<SubjectKey> slots = new AtomicReferenceArray<>(SLOTS);
    private final int size;

    Probes(int size) {
        this.size = size;
    }

    SubjectKey borrow() {
        SubjectKey probe = slots.getAndSet(slot(), null);
        return probe == null ? new SubjectKey(size) : probe;
    }

    void back(SubjectKey probe) {
        slots.lazySet(slot(), probe);
    }

    private static int slot() {
        return (int) Thread.currentThread().getId() & (SLOTS - 1);
    }
}
