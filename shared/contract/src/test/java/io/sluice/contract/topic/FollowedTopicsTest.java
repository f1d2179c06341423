package io.sluice.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class FollowedTopicsTest {
    private static final String TOPIC = "followed";
    private static final TopicPartition FIRST = new TopicPartition(TOPIC, 0);
    private static final TopicPartition SECOND = new TopicPartition(TOPIC, 1);

    private final FollowedTopics followed = new FollowedTopics(List.of(TOPIC));

    @Test
    void whatWasReadIsHandedOverOnceAlsoWhenTheConsumerCantTellWhereItStands() {
        assertThat(read()).containsExactlyInAnyOrder("a", "b");
        assertThat(read()).isEmpty();
    }

    @Test
    void partitionWithoutLeader_othersAreRead_andItIsReadWhenItHasALeader() {
        Cluster cluster = new Cluster();
        cluster.leaderless.add(SECOND);

        assertThat(followed.join(cluster)).isEqualTo(FollowedTopics.Joined.JOINED);
        cluster.addRecord(record(FIRST, "a"));

        assertThat(values(cluster)).containsExactly("a");
        assertThat(followed.newlyRead(cluster)).isEmpty();
        assertThat(followed.atEnd()).isFalse();
        assertThat(followed.restAtEnd(cluster)).isTrue();
        assertThat(followed.leaderless()).containsExactly(SECOND.toString());
        assertThat(followed.newCounts()).containsEntry(TOPIC, 2);

        cluster.leaderless.clear();
        await().until(() -> !followed.changed(cluster) && cluster.assignment().contains(SECOND));
        cluster.addRecord(record(SECOND, "b"));

        assertThat(values(cluster)).containsExactly("b");
        assertThat(followed.newlyRead(cluster)).containsExactly(TOPIC);
        assertThat(followed.atEnd()).isTrue();
        assertThat(followed.leaderless()).isEmpty();
        assertThat(followed.newCounts()).isEmpty();
    }

    @Test
    void join_noPartitionHasALeader_waits() {
        Cluster cluster = new Cluster();
        cluster.leaderless.addAll(List.of(FIRST, SECOND));

        assertThat(followed.join(cluster)).isEqualTo(FollowedTopics.Joined.LEADERLESS);

        cluster.leaderless.clear();
        assertThat(followed.join(cluster)).isEqualTo(FollowedTopics.Joined.JOINED);
        assertThat(cluster.assignment()).containsExactlyInAnyOrder(FIRST, SECOND);
    }

    private List<String> values(MockConsumer<byte[], byte[]> consumer) {
        List<String> values = new ArrayList<>();
        followed.poll(consumer).forEach(record -> values.add(new String(record.value(), StandardCharsets.UTF_8)));
        return values;
    }

    /** Returns offsets as a real consumer does: none at all while one of the partitions asked for has no leader. */
    private static final class Cluster extends MockConsumer<byte[], byte[]> {
        private final Set<TopicPartition> leaderless = new HashSet<>();

        Cluster() {
            super("none");
            updateBeginningOffsets(Map.of(FIRST, 0L, SECOND, 0L));
            updateEndOffsets(Map.of(FIRST, 1L, SECOND, 1L));
        }

        private void leaders() {
            Node[] none = {};
            updatePartitions(
                    TOPIC,
                    Stream.of(FIRST, SECOND)
                            .map(it -> new PartitionInfo(
                                    TOPIC,
                                    it.partition(),
                                    leaderless.contains(it) ? null : new Node(1, "127.0.0.1", 9),
                                    none,
                                    none))
                            .toList());
        }

        @Override
        public synchronized List<PartitionInfo> partitionsFor(String topic, Duration timeout) {
            leaders();
            return super.partitionsFor(topic, timeout);
        }

        @Override
        public synchronized Map<TopicPartition, Long> endOffsets(
                Collection<TopicPartition> partitions, Duration timeout) {
            requireLeaders(partitions);
            return super.endOffsets(partitions, timeout);
        }

        @Override
        public synchronized Map<TopicPartition, Long> beginningOffsets(
                Collection<TopicPartition> partitions, Duration timeout) {
            requireLeaders(partitions);
            return super.beginningOffsets(partitions, timeout);
        }

        private void requireLeaders(Collection<TopicPartition> partitions) {
            if (partitions.stream().anyMatch(leaderless::contains)) {
                throw new TimeoutException("Failed to get offsets by times in 10000ms");
            }
        }
    }

    /** What comes from a new consumer. */
    private List<String> read() {
        MockConsumer<byte[], byte[]> consumer = consumer();
        assertThat(followed.join(consumer)).isEqualTo(FollowedTopics.Joined.JOINED);
        consumer.addRecord(record(FIRST, "a"));
        consumer.addRecord(record(SECOND, "b"));
        return values(consumer);
    }

    private static MockConsumer<byte[], byte[]> consumer() {
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest") {
            @Override
            public synchronized long position(TopicPartition partition, Duration timeout) {
                throw new TimeoutException("the leader moved");
            }
        };
        Node[] none = {};
        consumer.updatePartitions(
                TOPIC,
                List.of(
                        new PartitionInfo(TOPIC, 0, Node.noNode(), none, none),
                        new PartitionInfo(TOPIC, 1, Node.noNode(), none, none)));
        consumer.updateBeginningOffsets(Map.of(FIRST, 0L, SECOND, 0L));
        consumer.updateEndOffsets(Map.of(FIRST, 1L, SECOND, 1L));
        return consumer;
    }

    private static ConsumerRecord<byte[], byte[]> record(TopicPartition partition, String value) {
        return new ConsumerRecord<>(
                TOPIC, partition.partition(), 0, new byte[0], value.getBytes(StandardCharsets.UTF_8));
    }
}
