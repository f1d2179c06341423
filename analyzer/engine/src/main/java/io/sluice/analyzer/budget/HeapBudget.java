package io.sluice.analyzer.budget;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of heap that the state of all tasks of a process may take together. {@link Account#LOADS}, which all tasks share, is
 * subtracted first. Of the rest, each {@link Account} may take a fixed part, divided evenly among the tasks of its {@link Kind} that run in the
 * process at present; what can be evicted may use all that the others leave. Sizes are estimates. Thread-safe.
 */
public final class HeapBudget {
    /** What a task does. */
    public enum Kind {
        /** Counts events. */
        METER,
        /** Decides about locks. */
        DECIDE
    }

    /** The rest of the heap is for Kafka's clients, for what is being processed, and for the garbage collector. */
    private static final int PART_OF_HEAP = 3;

    private final long bytes;
    private final Set<TaskBudget> tasks = ConcurrentHashMap.newKeySet();
    private final AtomicLong shared = new AtomicLong();
    /** What the meters take: the tasks that decide share the rest. */
    private final AtomicLong metered = new AtomicLong();

    private volatile int meters = 1;
    private volatile int deciding = 1;

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

    /** Adds a task. The parts of the others of its kind shrink at once. The task leaves when its budget is closed. */
    public TaskBudget join(Kind kind) {
        TaskBudget task = new TaskBudget(this, kind);
        tasks.add(task);
        count();
        return task;
    }

    void leave(TaskBudget task) {
        tasks.remove(task);
        count();
    }

    private void count() {
        meters = count(Kind.METER);
        deciding = count(Kind.DECIDE);
    }

    private int count(Kind kind) {
        return Math.max(
                1, (int) tasks.stream().filter(task -> task.kind() == kind).count());
    }

    void meter(long more) {
        metered.addAndGet(more);
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

    private long ofTasks() {
        return Math.max(0, bytes - shared.get());
    }

    /** The bytes of which one task's accounts may take their parts at present. */
    long partOfTask(Kind kind) {
        return ofTasks() / (kind == Kind.METER ? meters : deciding);
    }

    /** The bytes that one task that decides may take at present, with what can be evicted. */
    long leftToTask() {
        return Math.max(0, ofTasks() - metered.get()) / deciding;
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
