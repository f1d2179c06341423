package io.sluice.analyzer.api;

import io.sluice.contract.decision.DecisionJson;
import io.sluice.contract.decision.DecisionRecord;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.key.Partitions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads the decision log from a moment to its present end. Each call has a client of its own. Thread-safe. */
public final class DecisionLog {
    private static final Duration POLL = Duration.ofMillis(100);

    private final Map<String, Object> client;
    private final String topic;

    /** A decision, and the broker's time of it. */
    public record Entry(DecisionRecord record, long append) {}

    /**
     * What was asked for.
     *
     * @param entries oldest first
     * @param wholeSince append time since which nothing is missing, epoch milliseconds; 0 when nothing is
     * @param truncated whether there were more than wanted, of which the newest are here
     */
    public record Found(List<Entry> entries, long wholeSince, boolean truncated) {}

    /**
     * Whose decisions to read.
     *
     * @param key the elements of one key, or {@code null} for all
     * @param wanted selects records by their keys
     * @param since append time, epoch milliseconds
     * @param most how many to keep: the newest
     */
    public record Query(@Nullable List<String> key, Predicate<List<String>> wanted, long since, int most) {}

    /** @param client at least {@code bootstrap.servers} */
    public DecisionLog(Map<String, Object> client, String topic) {
        this.client = new HashMap<>(client);
        this.client.remove("group.id");
        this.client.remove("group.instance.id");
        this.client.put("enable.auto.commit", false);
        this.client.put("allow.auto.create.topics", false);
        this.client.put("auto.offset.reset", "earliest");
        this.client.put("isolation.level", "read_committed");
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
        try (var consumer = new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<PartitionInfo> infos = consumer.listTopics(patience).get(topic);
            if (infos == null) {
                throw new IOException(
                        "topic " + topic + " is missing, or may not be read; './sluice topics create'" + " makes it");
            }
            List<TopicPartition> partitions = partitions(query, infos.size());
            Reading reading = new Reading(query);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, patience);
            reading.begin(consumer, partitions, ends, patience);
            while (!atEnd(consumer, ends)) {
                consumer.poll(POLL).forEach(reading::accept);
                if (System.nanoTime() - deadline > 0) {
                    throw new IOException(
                            topic + " could not be read within " + patience.toSeconds() + " s; ask for a shorter time");
                }
            }
            return reading.found();
        } catch (KafkaException e) {
            throw new IOException("Kafka: " + e.getMessage(), e);
        }
    }

    private List<TopicPartition> partitions(Query query, int count) {
        List<TopicPartition> partitions = new ArrayList<>();
        if (query.key() != null) {
            partitions.add(new TopicPartition(topic, Partitions.of(CompositeKey.bytes(query.key()), count)));
            return partitions;
        }
        for (int partition = 0; partition < count; partition++) {
            partitions.add(new TopicPartition(topic, partition));
        }
        return partitions;
    }

    private static boolean atEnd(KafkaConsumer<?, ?> consumer, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private static final class Reading {
        private final Query query;
        private final PriorityQueue<Entry> newest = new PriorityQueue<>(Comparator.comparingLong(Entry::append));
        private long wholeSince;
        private boolean truncated;

        Reading(Query query) {
            this.query = query;
        }

        void begin(
                KafkaConsumer<?, ?> consumer,
                List<TopicPartition> partitions,
                Map<TopicPartition, Long> ends,
                Duration patience) {
            Map<TopicPartition, Long> wanted = new HashMap<>();
            partitions.forEach(partition -> wanted.put(partition, Math.max(0, query.since())));
            Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions, patience);
            Map<TopicPartition, @Nullable OffsetAndTimestamp> found = consumer.offsetsForTimes(wanted, patience);
            consumer.assign(partitions);
            for (TopicPartition partition : partitions) {
                OffsetAndTimestamp first = found.get(partition);
                long begin = begins.getOrDefault(partition, 0L);
                consumer.seek(partition, first == null ? ends.getOrDefault(partition, 0L) : first.offset());
                if (begin > 0 && first != null && first.offset() == begin && first.timestamp() > query.since()) {
                    wholeSince = Math.max(wholeSince, first.timestamp());
                }
            }
        }

        void accept(ConsumerRecord<byte[], byte[]> record) {
            if (record.key() == null || record.value() == null) {
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
            newest.add(entry);
            if (newest.size() > query.most()) {
                newest.remove();
                truncated = true;
            }
        }

        Found found() {
            List<Entry> entries = new ArrayList<>(newest);
            entries.sort(Comparator.comparingLong(Entry::append));
            return new Found(List.copyOf(entries), wholeSince, truncated);
        }
    }
}
