package io.sluice.benchmarks.fleet;

/**
 * Records of one topic. Not thread-safe.
 *
 * @see VirtualBroker
 */
final class Flow {
    private long records;
    private long batches;
    private long bytes;

    /** Adds a batch, {@code times} times. */
    void add(long moreRecords, long batchBytes, long times) {
        records += moreRecords * times;
        batches += times;
        bytes += batchBytes * times;
    }

    long records() {
        return records;
    }

    /** Number of record batches. Each is a record set of one producer request. */
    long batches() {
        return batches;
    }

    /** Bytes of all batches, compressed, with their headers. */
    long bytes() {
        return bytes;
    }
}
