package io.sluice.contract.topic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Reads topics once, in no group, from a start to the ends that their partitions have when they are looked up. A partition whose leader
 * is missing or does not answer is left out and named by {@link #leaderless}. Confined to one thread.
 *
 * <p>All methods throw {@link org.apache.kafka.common.KafkaException} when Kafka does not answer or rejects the request.
 */
public final class TopicReader implements AutoCloseable {
    private static final long NO_TIME = -1;

    private final Map<String, Object> client;
    private final @Nullable RecordSignatures signatures;
    private final ListOffsetsOptions options;
    private final Duration patience;
    private final Set<String> leaderless = new TreeSet<>();
    private final Map<String, Long> refused = new TreeMap<>();
    private @Nullable Admin admin;
    private @Nullable KafkaConsumer<byte[], byte[]> consumer;

    /**
     * Creates no client yet.
     *
     * @param client at least {@code bootstrap.servers}
     * @param answer how long brokers may take to return offsets
     * @param patience how long no record may arrive before reading fails
     */
    public TopicReader(Map<String, Object> client, IsolationLevel isolation, Duration answer, Duration patience) {
        this.client = FollowerConfig.of(client);
        signatures = RecordSignatures.of(client);
        this.client.put("isolation.level", isolation.toString());
        this.patience = patience;
        options = new ListOffsetsOptions(isolation).timeoutMs((int) answer.toMillis());
    }

    /** Returns the names of the partitions that were left out so far, sorted. */
    public Set<String> leaderless() {
        return leaderless;
    }

    /** Returns how many records of which topics were left out because they have no valid signature. */
    public Map<String, Long> refused() {
        return refused;
    }

    /**
     * Looks up the records that were appended at or after a time.
     *
     * @param time epoch milliseconds; 0 or less for all records
     * @return a range for each partition, by topic and partition; some may be empty
     * @throws UnknownTopicOrPartitionException when a topic is missing
     */
    public List<OffsetRange> since(Collection<String> topics, long time) {
        List<TopicPartition> partitions = partitions(topics);
        if (time <= 0) {
            return ranges(partitions, whole -> whole);
        }
        Map<TopicPartition, ListOffsetsResultInfo> found = offsets(partitions, OffsetSpec.forTimestamp(time));
        return ranges(found.keySet(), whole -> {
            ListOffsetsResultInfo first = found.get(whole.partition());
            return first == null || first.offset() < 0
                    ? whole.tail(whole.end(), NO_TIME)
                    : whole.tail(first.offset(), first.timestamp());
        });
    }

    /** Looks up the records of a topic from these offsets on; the whole of a partition that has none here. */
    public List<OffsetRange> from(String topic, Map<TopicPartition, Long> begins) {
        return ranges(
                partitions(List.of(topic)),
                whole -> whole.tail(begins.getOrDefault(whole.partition(), whole.oldest()), NO_TIME));
    }

    /** Looks up the newest records of each partition of a topic. */
    public List<OffsetRange> newest(String topic, long count) {
        return ranges(partitions(List.of(topic)), whole -> whole.tail(whole.end() - count, NO_TIME));
    }

    /** Reads one record again; {@code null} when it is gone, or its partition is {@link #leaderless}. */
    public @Nullable ConsumerRecord<byte[], byte[]> record(TopicPartition partition, long offset) {
        for (OffsetRange whole : ranges(List.of(partition), whole -> whole)) {
            if (offset >= whole.oldest() && offset < whole.end()) {
                return open(List.of(new OffsetRange(partition, offset, offset, offset + 1, NO_TIME)))
                        .next();
            }
        }
        return null;
    }

    /** Hands over each record of these ranges. */
    public void read(Collection<OffsetRange> ranges, Consumer<ConsumerRecord<byte[], byte[]>> to) {
        RecordCursor cursor = open(ranges);
        for (var record = cursor.next(); record != null; record = cursor.next()) {
            to.accept(record);
        }
    }

    /** Begins to read; a cursor opened before ends. */
    public RecordCursor open(Collection<OffsetRange> ranges) {
        KafkaConsumer<byte[], byte[]> opened = consumer == null ? new KafkaConsumer<>(client) : consumer;
        consumer = opened;
        return new RecordCursor(opened, ranges, patience, signatures, refused);
    }

    private Admin admin() {
        Admin opened = admin;
        if (opened == null) {
            Map<String, Object> config = FollowerConfig.admin(client);
            config.put("request.timeout.ms", options.timeoutMs());
            config.put("default.api.timeout.ms", options.timeoutMs());
            opened = Admin.create(config);
            admin = opened;
        }
        return opened;
    }

    private List<TopicPartition> partitions(Collection<String> topics) {
        Map<String, KafkaFuture<TopicDescription>> answers =
                new TreeMap<>(admin().describeTopics(topics).topicNameValues());
        List<TopicPartition> partitions = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        answers.forEach((topic, answer) -> {
            try {
                for (TopicPartitionInfo found : Broker.answer(answer).partitions()) {
                    TopicPartition partition = new TopicPartition(topic, found.partition());
                    if (found.leader() == null) {
                        leaderless.add(partition.toString());
                    } else {
                        partitions.add(partition);
                    }
                }
            } catch (UnknownTopicOrPartitionException e) {
                missing.add(topic);
            }
        });
        if (!missing.isEmpty()) {
            throw new UnknownTopicOrPartitionException("no topic " + String.join(", ", missing) + " on this cluster");
        }
        return partitions;
    }

    private List<OffsetRange> ranges(Collection<TopicPartition> partitions, UnaryOperator<OffsetRange> part) {
        Map<TopicPartition, ListOffsetsResultInfo> oldest = offsets(partitions, OffsetSpec.earliest());
        Map<TopicPartition, ListOffsetsResultInfo> ends = offsets(oldest.keySet(), OffsetSpec.latest());
        List<OffsetRange> ranges = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            ListOffsetsResultInfo first = oldest.get(partition);
            ListOffsetsResultInfo end = ends.get(partition);
            if (first != null && end != null) {
                ranges.add(
                        part.apply(new OffsetRange(partition, first.offset(), first.offset(), end.offset(), NO_TIME)));
            }
        }
        return ranges;
    }

    private Map<TopicPartition, ListOffsetsResultInfo> offsets(Collection<TopicPartition> of, OffsetSpec which) {
        PartitionOffsets answers = PartitionOffsets.of(admin(), of, which, options);
        leaderless.addAll(answers.unanswered());
        return answers.known();
    }

    @Override
    public void close() {
        if (admin != null) {
            admin.close(Duration.ZERO);
        }
        if (consumer != null) {
            // waits neither for a broker that may be gone, nor for the fetch in progress
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        }
    }
}
