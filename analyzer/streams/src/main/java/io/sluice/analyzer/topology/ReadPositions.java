package io.sluice.analyzer.topology;

import io.sluice.analyzer.load.MeterPositions;
import org.jspecify.annotations.Nullable;

/** How far each partition of access logs and of usage has been read. Thread-safe. */
public interface ReadPositions {
    /** The answer of a reader that does not know yet. */
    long UNKNOWN = Long.MIN_VALUE;

    /** Starts to follow a partition of access logs that a task now reads. */
    Reader reader(String topic, int partition);

    /** Starts to follow a partition of usage that a task now reads. */
    UsageReader usageReader(String topic, int partition);

    /** One partition as one task reads it. */
    interface Reader extends AutoCloseable {
        /** The task has handled this record and all before it. */
        void handled(long offset, long append);

        /** Everything appended up to this time, epoch milliseconds, has been handled; or {@link #UNKNOWN}. */
        long position();

        @Override
        void close();
    }

    /** One partition of usage as one task reads it. */
    interface UsageReader extends AutoCloseable {
        /** The task has handled this record and all before it. */
        void handled(long offset);

        /** Positions of meters whose partials up to there have all been handled; {@code null} before any are known. */
        MeterPositions.@Nullable Snapshot passed();

        @Override
        void close();
    }
}
