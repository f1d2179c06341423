package io.sluice.agent.internal.gate;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A pool of probes for look-ups. Threads are spread over the slots; a thread that finds its slot empty creates a probe. A ThreadLocal would remain
 * in the host's threads after the agent was closed.
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
