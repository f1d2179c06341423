package io.sluice.analyzer.fleet;

import io.sluice.contract.decision.DecisionJson;
import io.sluice.contract.decision.DecisionRecord;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.key.Partitions;
import io.sluice.contract.topic.OffsetRange;
import io.sluice.contract.topic.RecordCursor;
import io.sluice.contract.topic.TopicReader;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Reads the decision log from a moment to its present end. Each call has a client of its own. Thread-safe. */
public final class DecisionLog {
    private final Map<String, Object> client;
    private final String topic;

    /** A decision, and the broker's time of it. */
    public record Entry(DecisionRecord record, long append) {}

    /**
     * Result of a query.
     *
     * @param entries oldest first
     * @param wholeSince append time since which nothing is missing, epoch milliseconds; 0 when nothing is
     * @param truncated whether there were more than wanted, of which the newest are here
     * @param leaderless partitions that could not be read, since no leader answers for them
     */
    public record Found(List<Entry> entries, long wholeSince, boolean truncated, Set<String> leaderless) {}

    /**
     * Whose decisions to read.
     *
     * @param key the elements of one key, or {@code null} for all
     * @param wanted selects records by their keys
     * @param since append time of the first, epoch milliseconds
     * @param before append time that all have to be earlier than
     * @param most how many to keep: the newest
     */
    public record Query(@Nullable List<String> key, Predicate<List<String>> wanted, long since, long before, int most) {
        /** All up to the present end. */
        public Query(@Nullable List<String> key, Predicate<List<String>> wanted, long since, int most) {
            this(key, wanted, since, Long.MAX_VALUE, most);
        }
    }

    /** @param client at least {@code bootstrap.servers} */
    public DecisionLog(Map<String, Object> client, String topic) {
        this.client = Map.copyOf(client);
        this.topic = topic;
    }

    /**
     * Reads.
     *
     * @param patience for all of it
     * @throws IOException when the topic is missing, Kafka does not answer, or it takes too long
     */
    public Found read(Query query, Duration patience) throws IOException {
        long deadline = System.nanoTime() + patience.toNanos();
        try (TopicReader reader = new TopicReader(client, IsolationLevel.READ_COMMITTED, patience, patience)) {
            // from 1 on: the time of the first record is needed, also when all are wanted
            List<OffsetRange> ranges = reader.since(List.of(topic), Math.max(1, query.since()));
            Set<String> leaderless = reader.leaderless();
            if (query.key() != null) {
                int partition = Partitions.of(CompositeKey.bytes(query.key()), ranges.size() + leaderless.size());
                TopicPartition only = new TopicPartition(topic, partition);
                ranges = ranges.stream()
                        .filter(range -> range.partition().equals(only))
                        .toList();
                leaderless = leaderless.contains(only.toString()) ? Set.of(only.toString()) : Set.of();
            }
            Reading reading = new Reading(query);
            RecordCursor records = reader.open(ranges);
            for (var record = records.next(); record != null; record = records.next()) {
                reading.accept(record);
                if (System.nanoTime() - deadline > 0) {
                    throw new IOException(
                            topic + " could not be read within " + patience.toSeconds() + " s; ask for a shorter time");
                }
            }
            return reading.found(wholeSince(ranges, query.since()), leaderless);
        } catch (UnknownTopicOrPartitionException e) {
            throw new IOException(
                    "topic " + topic + " is missing, or may not be read; './sluice topics create' makes it");
        } catch (KafkaException e) {
            throw new IOException("Kafka: " + e.getMessage(), e);
        }
    }

    private static long wholeSince(List<OffsetRange> ranges, long since) {
        return ranges.stream()
                .filter(range -> range.isCut(since))
                .mapToLong(OffsetRange::timestamp)
                .max()
                .orElse(0);
    }

    private static final class Reading {
        private final Query query;
        /** Records of one batch have the same append time. Those of one lock lie in one partition, and come in their order. */
        private static final Comparator<Read> OLDEST_FIRST =
                Comparator.<Read>comparingLong(read -> read.entry().append()).thenComparingLong(Read::number);

        private final PriorityQueue<Read> newest = new PriorityQueue<>(OLDEST_FIRST);
        private long number;
        private boolean truncated;

        private record Read(Entry entry, long number) {}

        Reading(Query query) {
            this.query = query;
        }

        void accept(ConsumerRecord<byte[], byte[]> record) {
            if (record.key() == null || record.value() == null || record.timestamp() >= query.before()) {
                return;
            }
            try {
                List<String> key = CompositeKey.read(record.key());
                if (!key.isEmpty() && query.wanted().test(key)) {
                    Optional<DecisionRecord> read = DecisionJson.read(record.key(), record.value());
                    read.ifPresent(decision -> keep(new Entry(decision, record.timestamp())));
                }
            } catch (MalformedRecord e) {
                // not ours: no agent can have obeyed it
            }
        }

        private void keep(Entry entry) {
            newest.add(new Read(entry, number++));
            if (newest.size() > query.most()) {
                newest.remove();
                truncated = true;
            }
        }

        Found found(long wholeSince, Set<String> leaderless) {
            List<Entry> entries =
                    newest.stream().sorted(OLDEST_FIRST).map(Read::entry).toList();
            return new Found(entries, wholeSince, truncated, leaderless);
        }
    }
}
