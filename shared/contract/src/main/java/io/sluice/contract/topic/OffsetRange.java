package io.sluice.contract.topic;

import org.apache.kafka.common.TopicPartition;

/**
 * A range of a partition's offsets. As long as retention leaves it alone, it holds the same records at each reading.
 *
 * @param oldest the first offset of the partition
 * @param begin the first offset of the range
 * @param end the offset after the last
 * @param timestamp of the first record at or after a time that was looked up, in epoch milliseconds; −1 when there is none
 */
public record OffsetRange(TopicPartition partition, long oldest, long begin, long end, long timestamp) {

    /** Returns the number of offsets; some of them may hold no record. */
    public long size() {
        return end - begin;
    }

    /** Returns whether records may be gone that were appended between a time (epoch milliseconds) and its first record. */
    public boolean isCut(long time) {
        return oldest > 0 && begin == oldest && timestamp > time;
    }

    /** Returns the part of it from an offset on. */
    OffsetRange tail(long from, long time) {
        return new OffsetRange(partition, oldest, Math.min(end, Math.max(oldest, from)), end, time);
    }
}
