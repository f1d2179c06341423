package io.sluice.analyzer.topology;

import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.contract.topic.TopicNames;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Parts of a topology.
 *
 * @param requests the topics of access logs, at least one
 * @param meters how many partitions the widest of them has: one meter task each
 * @param partitions how many partitions usage and gate-locks have: one decide task each
 * @param fleet what the process knows of other tasks
 * @param positions how far the topics of access logs have been read
 * @param tallies where the tasks' counters can be found
 * @param hash of different values; that of all meters of the fleet
 * @param wallClock epoch milliseconds, for epochs and for people
 * @param nanoTime the monotonic clock
 */
public record Parts(
        TopicNames topics,
        List<Requests> requests,
        int meters,
        int partitions,
        Rules rules,
        Fleet fleet,
        ReadPositions positions,
        Tallies tallies,
        DeadLetterLog deadLetters,
        DistinctHash hash,
        LongSupplier wallClock,
        LongSupplier nanoTime) {

    /**
     * A topic of access logs.
     *
     * @param partitions how many it has
     * @param spread the most of its partitions that can hold requests of one caller
     * @param mostPerSecond the most requests that a partition may report in a second
     * @param format a new reader of its records: each task has its own
     */
    public record Requests(String topic, int partitions, int spread, long mostPerSecond, Supplier<LogFormat> format) {
        /** A topic in which one caller's requests can lie in every partition, without a bound. */
        public Requests(String topic, int partitions, Supplier<LogFormat> format) {
            this(topic, partitions, partitions, Long.MAX_VALUE, format);
        }
    }

    /** Returns the most meters that can count requests of one caller: a caller may come from each topic. */
    int callerSpread() {
        long sum = requests.stream().mapToLong(Requests::spread).sum();
        return (int) Math.max(1, Math.min(meters, sum));
    }

    /**
     * The numbers that the tasks go by, all in milliseconds.
     *
     * @param instance the name of this analyzer
     * @param tick how often heavy partials leave
     * @param commit how long at the most a task holds back what is not heavy
     * @param longestCommit the same of one that reads its log far behind the end
     * @param lateness events appended later than this after their time are not metered
     * @param skew events ahead of the broker's clock by more than this are taken for now
     * @param backlog nothing opens on events older than this
     * @param maxLease the longest lease
     */
    public record Rules(
            String instance,
            long tick,
            long commit,
            long longestCommit,
            long lateness,
            long skew,
            long backlog,
            long maxLease) {}

    public Parts {
        requests = List.copyOf(requests);
        if (requests.isEmpty()) {
            throw new IllegalArgumentException("no topic of access logs");
        }
    }
}
