package io.sluice.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    /** What comes from a new consumer. */
    private List<String> read() {
        MockConsumer<byte[], byte[]> consumer = consumer();
        assertThat(followed.join(consumer)).isEqualTo(FollowedTopics.Joined.JOINED);
        consumer.addRecord(record(FIRST, "a"));
        consumer.addRecord(record(SECOND, "b"));
        List<String> values = new ArrayList<>();
        followed.poll(consumer).forEach(record -> values.add(new String(record.value(), StandardCharsets.UTF_8)));
        return values;
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
