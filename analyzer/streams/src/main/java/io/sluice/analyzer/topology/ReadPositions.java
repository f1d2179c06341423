package io.sluice.analyzer.topology;

/** How far each partition of access logs has been read, in the broker's time. Thread-safe. */
public interface ReadPositions {
    /** The answer of a reader that does not know yet. */
    long UNKNOWN = Long.MIN_VALUE;

    /** Starts to follow a partition that a task now reads. */
    Reader reader(String topic, int partition);

    /** One partition as one task reads it. */
    interface Reader extends AutoCloseable {
        /** The task has handled this record and all before it. */
        void handled(long offset, long append);

        /** Everything appended up to this time, epoch milliseconds, has been handled; or {@link #UNKNOWN}. */
        long position();

        @Override
        void close();
    }
}
