package io.sluice.analyzer.cli;

import java.util.HashMap;
import java.util.Map;

/**
 * From when on partitions still hold every record: compaction and retention leave gaps between offsets. A single offset that is missing is
 * taken for the marker that ends a transaction, which under exactly-once is one at each commit and is never handed over; so a single
 * record that is gone is not noticed. One thread.
 */
final class WholeSince {
    private final Map<String, Long> next = new HashMap<>();
    private long time;

    /** A record, each partition's in their order. */
    void accept(String topic, int partition, long offset, long append) {
        long expected = next.getOrDefault(topic + "-" + partition, 0L);
        if (offset > expected + 1) {
            time = Math.max(time, append);
        }
        next.put(topic + "-" + partition, offset + 1);
    }

    /** The append time of the first record behind the last gap of all, epoch milliseconds; 0: there is none. */
    long time() {
        return time;
    }
}
