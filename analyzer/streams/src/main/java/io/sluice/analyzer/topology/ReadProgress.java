package io.sluice.analyzer.topology;

/**
 * How much a thread has read of the logs of one kind since its last commit: those of requests, or what each meter sent to each decide task. Not
 * thread-safe.
 */
final class ReadProgress {
    private long read;
    private int behind;

    /** Adds what was read of one log, in milliseconds. */
    void add(long millis) {
        read += millis;
    }

    /** Changes the number of logs that are behind. */
    void addBehind(int change) {
        behind += change;
    }

    /** Returns what was read since the last commit of each log that is behind, in milliseconds: the mean. */
    long mean() {
        return read / Math.max(1, behind);
    }

    /** All that was read is being committed. */
    void committed() {
        read = 0;
    }
}
