package io.sluice.analyzer.run;

import io.sluice.analyzer.load.MeterPositions;
import io.sluice.analyzer.topology.ReadPositions;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A partition that a task reads. Written by its task and, one answer at a time, by the admin client's thread; read by any. */
final class LogPartition {
    private static final long NOTHING_HANDLED = -1;
    private static final long AT_END = -2;

    final TopicPartition partition;
    /** What is being asked about it; used by the poller's thread alone. */
    KafkaFuture<Void> pending = KafkaFuture.completedFuture(null);

    private final AtomicLong next = new AtomicLong(NOTHING_HANDLED);
    /** Where it stood before its end when that was asked for last. */
    private volatile long behind = NOTHING_HANDLED;

    private volatile long append = ReadPositions.UNKNOWN;
    private volatile @Nullable Asked reached;
    private volatile @Nullable Ahead ahead;

    /**
     * What was known before an end was asked for, so that it concerns nothing behind that end.
     *
     * @param time broker time, epoch milliseconds
     * @param positions of the meters
     */
    record Asked(long time, MeterPositions.Snapshot positions) {}

    /** An end that has not been read yet. */
    private record Ahead(long end, Asked asked) {}

    LogPartition(TopicPartition partition) {
        this.partition = partition;
    }

    void handled(long offset) {
        next.lazySet(offset + 1);
    }

    void handled(long offset, long appended) {
        append = Math.max(append, appended);
        handled(offset);
    }

    /** Returns the offset behind the last record that was handled, or -1. */
    long handled() {
        return next.get();
    }

    /** Returns whether nothing was handled since it was found before its end, or ever. */
    boolean standsStill() {
        return next.get() == behind;
    }

    void passTo(long offset) {
        next.accumulateAndGet(offset, Math::max);
    }

    void end(long end, Asked asked) {
        long handled = next.get();
        Ahead before = ahead;
        if (handled >= end) {
            reached = asked;
            ahead = null;
        } else if (before == null) {
            ahead = new Ahead(end, asked);
        } else if (handled >= before.end) {
            reached = before.asked;
            ahead = new Ahead(end, asked);
        }
        behind = handled < end ? handled : AT_END;
    }

    /** Returns what was asked before the newest end that has been read, or {@code null}. */
    @Nullable
    Asked reached() {
        return reached;
    }

    /** Returns the append time, epoch milliseconds, up to which everything has been handled, or {@link ReadPositions#UNKNOWN}. */
    long position() {
        // another record of the same millisecond may follow
        long handled = append == ReadPositions.UNKNOWN ? ReadPositions.UNKNOWN : append - 1;
        Asked known = reached;
        return known == null ? handled : Math.max(handled, known.time);
    }
}
