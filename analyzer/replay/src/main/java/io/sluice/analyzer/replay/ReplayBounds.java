package io.sluice.analyzer.replay;

import java.time.Duration;

/**
 * Bounds of a replay. Beyond {@code callers} further callers are counted together; beyond any other bound the replay ends with
 * {@link BeyondBounds}. Immutable.
 *
 * @param bytes most bytes of log lines, uncompressed, of all logs together
 * @param time longest duration of the whole replay
 * @param heap bytes of heap for the state of each policy set, an estimate
 * @param callers most callers that are counted one by one
 * @param waiting most events that wait in heap because their lines are out of order
 * @param locks most locks of each policy set
 */
public record ReplayBounds(long bytes, Duration time, long heap, int callers, long waiting, int locks) {
    // what an event that waits takes, generously
    private static final long BYTES_OF_EVENT = 600;
    private static final int CALLERS = 200_000;

    /** Returns the bounds of a process that does nothing else: only its heap sets limits. */
    public static ReplayBounds ofHeap(long heapBytes) {
        return new ReplayBounds(
                Long.MAX_VALUE,
                Duration.ofDays(365),
                heapBytes,
                CALLERS,
                Math.max(1, heapBytes / BYTES_OF_EVENT),
                Integer.MAX_VALUE);
    }
}
