package io.sluice.agent.internal.gate;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Values to look up with, lent for the time of a look-up. Threads are spread over the slots; one that finds its slot empty
 * makes its own. (A ThreadLocal would stay behind in the host's threads after the agent was closed.)
 */
final class ProbePool {
    private static final int SLOTS = 64;

    private final AtomicReferenceArray<SubjectValues> slots = new AtomicReferenceArray<>(SLOTS);
    private final int size;

    ProbePool(int size) {
        this.size = size;
    }

    SubjectValues borrow() {
        SubjectValues probe = slots.getAndSet(slot(), null);
        return probe == null ? new SubjectValues(size) : probe;
    }

    void back(SubjectValues probe) {
        slots.lazySet(slot(), probe);
    }

    private static int slot() {
        return (int) Thread.currentThread().getId() & (SLOTS - 1);
    }
}
