package io.sluice.contract.topic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** Which partitions are followed, how far each has been read, and how far it must be read. Confined to one thread. */
final class FollowedTopics {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long LOOK_EVERY_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int GONE_FOR_GOOD = 3;

    private final List<String> topics;
    private final List<String> missing = new ArrayList<>();
    // the next offset to read, kept when a consumer is replaced
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    // where each partition ended when reading began
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final Set<TopicPartition> assigned = new HashSet<>();
    private final Set<String> readToEnd = new HashSet<>();
    // partitions of each topic, as reported last
    private final Map<String, Integer> counts = new HashMap<>();
    private boolean begun;
    private long reads;
    private long looked;
    private int gone;

    FollowedTopics(List<String> topics) {
        this.topics = topics;
    }

    /** How often something could be asked of the broker. */
    long reads() {
        return reads;
    }

    List<String> missing() {
        return missing;
    }

    /** Result of {@link #join}. */
    enum Joined {
        /** A topic does not exist; nothing is assigned. */
        MISSING,
        /** A topic has fewer partitions than were read: it was deleted and created again. Nothing is assigned. */
        SHRUNK,
        /** All partitions are assigned, each at the next offset to read. */
        JOINED
    }

    /** Assigns all partitions to a new consumer. */
    Joined join(Consumer<byte[], byte[]> consumer) {
        Set<TopicPartition> partitions = partitions(consumer);
        if (!missing.isEmpty()) {
            return Joined.MISSING;
        }
        if (!partitions.containsAll(positions.keySet())) {
            return Joined.SHRUNK;
        }
        if (!begun) {
            readToEnd.clear();
            ends.clear();
            ends.putAll(consumer.endOffsets(partitions, PATIENCE));
            begun = true;
        }
        assigned.clear();
        assign(consumer, partitions);
        looked = System.nanoTime();
        return Joined.JOINED;
    }

    private void assign(Consumer<byte[], byte[]> consumer, Set<TopicPartition> partitions) {
        Set<TopicPartition> added = new HashSet<>(partitions);
        added.removeAll(assigned);
        consumer.assign(partitions);
        // asked for instead of sought: a beginning that is sought later could hide that the topic was made anew
        Set<TopicPartition> unread = new HashSet<>(added);
        unread.removeAll(positions.keySet());
        if (!unread.isEmpty()) {
            positions.putAll(consumer.beginningOffsets(unread, PATIENCE));
        }
        for (TopicPartition partition : added) {
            consumer.seek(partition, positions.getOrDefault(partition, 0L));
        }
        assigned.addAll(partitions);
    }

    ConsumerRecords<byte[], byte[]> poll(Consumer<byte[], byte[]> consumer) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
        if (!records.isEmpty()) {
            reads++;
        }
        for (TopicPartition partition : records.partitions()) {
            List<ConsumerRecord<byte[], byte[]>> read = records.records(partition);
            // the consumer may need a request for it, and when that fails the records just read would be lost
            positions.put(partition, read.get(read.size() - 1).offset() + 1);
        }
        return records;
    }

    /** The topics that have come, since this was asked last, to where they ended when reading began. */
    List<String> newlyRead(Consumer<byte[], byte[]> consumer) {
        return topics.stream()
                .filter(topic -> !readToEnd.contains(topic) && atEnd(topic, consumer) && readToEnd.add(topic))
                .toList();
    }

    /** Whether all of them have. */
    boolean atEnd() {
        return readToEnd.containsAll(topics);
    }

    private boolean atEnd(String topic, Consumer<byte[], byte[]> consumer) {
        for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
            TopicPartition partition = end.getKey();
            if (partition.topic().equals(topic)
                    && assigned.contains(partition)
                    && consumer.position(partition, PATIENCE) < end.getValue()) {
                return false;
            }
        }
        return true;
    }

    /** Takes up added partitions; true when some are gone, so that the topic is made anew. */
    boolean changed(Consumer<byte[], byte[]> consumer) {
        if (System.nanoTime() - looked < LOOK_EVERY_NANOS) {
            return false;
        }
        looked = System.nanoTime();
        Set<TopicPartition> partitions = partitions(consumer);
        // a broker that is just starting may not know its topics yet
        gone = missing.isEmpty() ? 0 : gone + 1;
        if (gone > 0 || partitions.equals(assigned)) {
            return gone >= GONE_FOR_GOOD;
        }
        if (!partitions.containsAll(assigned)) {
            return true;
        }
        assign(consumer, partitions);
        return false;
    }

    /** Returns the number of partitions of each topic where it is new since the last call. */
    Map<String, Integer> newCounts() {
        Map<String, Integer> changed = new HashMap<>();
        for (String topic : topics) {
            int count = (int) assigned.stream()
                    .filter(partition -> partition.topic().equals(topic))
                    .count();
            if (count > 0 && !Integer.valueOf(count).equals(counts.put(topic, count))) {
                changed.put(topic, count);
            }
        }
        return changed;
    }

    /** Begins again from the beginning at the next join. */
    void forget() {
        positions.clear();
        begun = false;
        gone = 0;
    }

    private Set<TopicPartition> partitions(Consumer<byte[], byte[]> consumer) {
        Set<TopicPartition> partitions = new HashSet<>();
        missing.clear();
        for (String topic : topics) {
            List<PartitionInfo> found = consumer.partitionsFor(topic, PATIENCE);
            if (found == null || found.isEmpty()) {
                missing.add(topic);
            } else {
                found.forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
            }
        }
        return partitions;
    }

    @Override
    public String toString() {
        return String.join(", ", topics);
    }
}
