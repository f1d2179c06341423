package io.sluice.analyzer.budget;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of heap that the state of all tasks of a process may take together. {@link Account#LOADS}, which all tasks share, is
 * subtracted first; the rest is divided evenly among the tasks that run in the process at present. Sizes are estimates. Thread-safe.
 */
public final class HeapBudget {
    /** The rest of the heap is for Kafka's clients, for what is being processed, and for the garbage collector. */
    private static final int PART_OF_HEAP = 3;

    private final long bytes;
    private final Set<TaskBudget> tasks = ConcurrentHashMap.newKeySet();
    private final AtomicLong shared = new AtomicLong();
    private volatile int joined;

    /** @param bytes at least 1 */
    public HeapBudget(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("a budget of " + bytes + " bytes, at least 1 is needed");
        }
        this.bytes = bytes;
    }

    /**
     * A third of the heap.
     *
     * @param heapBytes the most that the heap may take
     */
    public static HeapBudget ofHeap(long heapBytes) {
        return new HeapBudget(Math.max(1, heapBytes / PART_OF_HEAP));
    }

    /** Adds a task. The parts of the others shrink at once. The task leaves when its budget is closed. */
    public TaskBudget join() {
        TaskBudget task = new TaskBudget(this);
        tasks.add(task);
        joined = tasks.size();
        return task;
    }

    void leave(TaskBudget task) {
        tasks.remove(task);
        joined = tasks.size();
    }

    /** Takes bytes for an object that all tasks share; returns false when that is more than its account may take. */
    public boolean takeShared(Account account, long more) {
        if (shared.get() + more > account.most(bytes)) {
            return false;
        }
        shared.addAndGet(more);
        return true;
    }

    /** Returns bytes of {@link #takeShared}. */
    public void releaseShared(long less) {
        shared.addAndGet(-less);
    }

    /** The bytes that one task may take at present. */
    long partOfTask() {
        return Math.max(0, bytes - shared.get()) / Math.max(1, joined);
    }

    /** The whole budget, in bytes. */
    public long bytes() {
        return bytes;
    }

    /** The bytes that an account takes in all tasks. */
    public long used(Account account) {
        long used = account == Account.LOADS ? shared.get() : 0;
        for (TaskBudget task : tasks) {
            used += task.used(account);
        }
        return used;
    }
}
