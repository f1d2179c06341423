package io.sluice.contract.topic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** Which partitions are followed, how far each has been read, and how far it must be read. Confined to one thread. */
final class FollowedTopics {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final long LOOK_EVERY_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int GONE_FOR_GOOD = 3;

    private final List<String> topics;
    private final List<String> missing = new ArrayList<>();
    // the next offset to read, kept when a consumer is replaced
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    // where each partition ended when reading began
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    // partitions of which the end is still to be asked: they had no leader
    private final Set<TopicPartition> endless = new HashSet<>();
    // all partitions, as reported last
    private final Set<TopicPartition> known = new HashSet<>();
    // those among them that have no leader, as reported last
    private final Set<TopicPartition> leaderless = new HashSet<>();
    // those that are read: all that ever had a leader
    private final Set<TopicPartition> assigned = new HashSet<>();
    private final Set<String> readToEnd = new HashSet<>();
    // partitions of each topic, as reported last
    private final Map<String, Integer> counts = new HashMap<>();
    // asked after each poll, so they are counted only when other partitions are known
    private boolean countsStale;
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
        /** No partition has a leader; nothing is assigned. */
        LEADERLESS,
        /** All partitions that have a leader are assigned, each at the next offset to read. */
        JOINED
    }

    /** Assigns all partitions to a new consumer; those without a leader when they have one. */
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
            endless.addAll(partitions);
            begun = true;
        }
        assigned.clear();
        assign(consumer, partitions);
        looked = System.nanoTime();
        return assigned.isEmpty() ? Joined.LEADERLESS : Joined.JOINED;
    }

    /** Asks no partition without a leader for its offsets: it would keep back the answers of all others. */
    private void assign(Consumer<byte[], byte[]> consumer, Set<TopicPartition> partitions) {
        known.clear();
        known.addAll(partitions);
        countsStale = true;
        Set<TopicPartition> led = new HashSet<>(partitions);
        led.removeAll(leaderless);
        Set<TopicPartition> ending = new HashSet<>(endless);
        ending.retainAll(led);
        if (!ending.isEmpty()) {
            ends.putAll(consumer.endOffsets(ending, PATIENCE));
            endless.removeAll(ending);
        }
        // asked for instead of sought: a beginning that is sought later could hide that the topic was made anew
        Set<TopicPartition> unread = new HashSet<>(led);
        unread.removeAll(positions.keySet());
        if (!unread.isEmpty()) {
            positions.putAll(consumer.beginningOffsets(unread, PATIENCE));
        }
        Set<TopicPartition> added = new HashSet<>(partitions);
        added.retainAll(positions.keySet());
        consumer.assign(Set.copyOf(added));
        added.removeAll(assigned);
        for (TopicPartition partition : added) {
            consumer.seek(partition, positions.getOrDefault(partition, 0L));
        }
        assigned.addAll(added);
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

    /** Returns whether all of them have. */
    boolean atEnd() {
        return readToEnd.containsAll(topics);
    }

    /** Returns the names of the partitions that have no leader at present. */
    Set<String> leaderless() {
        return leaderless.stream().map(TopicPartition::toString).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns whether all partitions that ever had a leader have been read to where they ended when reading began. */
    boolean restAtEnd(Consumer<byte[], byte[]> consumer) {
        return topics.stream().allMatch(topic -> readToEnd.contains(topic) || restAtEnd(topic, consumer));
    }

    private boolean atEnd(String topic, Consumer<byte[], byte[]> consumer) {
        return endless.stream().noneMatch(partition -> partition.topic().equals(topic)) && restAtEnd(topic, consumer);
    }

    private boolean restAtEnd(String topic, Consumer<byte[], byte[]> consumer) {
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

    /** Takes up partitions that were added or have a leader again; true when some are gone, so that the topic is made anew. */
    boolean changed(Consumer<byte[], byte[]> consumer) {
        if (System.nanoTime() - looked < LOOK_EVERY_NANOS) {
            return false;
        }
        looked = System.nanoTime();
        Set<TopicPartition> partitions = partitions(consumer);
        // a broker that is just starting may not know its topics yet
        gone = missing.isEmpty() ? 0 : gone + 1;
        if (gone > 0 || (partitions.equals(known) && partitions.equals(assigned))) {
            return gone >= GONE_FOR_GOOD;
        }
        if (!partitions.containsAll(known)) {
            return true;
        }
        assign(consumer, partitions);
        return false;
    }

    /** Returns the number of partitions of each topic where it is new since the last call. */
    Map<String, Integer> newCounts() {
        if (!countsStale) {
            return Map.of();
        }
        countsStale = false;
        Map<String, Integer> changed = new HashMap<>();
        for (String topic : topics) {
            int count = (int) known.stream()
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
        endless.clear();
        begun = false;
        gone = 0;
    }

    private Set<TopicPartition> partitions(Consumer<byte[], byte[]> consumer) {
        Set<TopicPartition> partitions = new HashSet<>();
        missing.clear();
        leaderless.clear();
        for (String topic : topics) {
            List<PartitionInfo> found = consumer.partitionsFor(topic, PATIENCE);
            if (found == null || found.isEmpty()) {
                missing.add(topic);
            } else {
                for (PartitionInfo info : found) {
                    TopicPartition partition = new TopicPartition(topic, info.partition());
                    partitions.add(partition);
                    if (info.leader() == null) {
                        leaderless.add(partition);
                    }
                }
            }
        }
        return partitions;
    }

    @Override
    public String toString() {
        return String.join(", ", topics);
    }
}
