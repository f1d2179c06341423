package io.sluice.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class FoundTopicTest {
    private static final KafkaFuture<TopicDescription> ONE_PARTITION = KafkaFuture.completedFuture(new TopicDescription(
            "log", false, List.of(new TopicPartitionInfo(0, new Node(0, "localhost", 9092), List.of(), List.of()))));

    @Test
    void find_settingsAreKnown_isFound() {
        FoundTopic found = FoundTopic.find("log", ONE_PARTITION, KafkaFuture.completedFuture(new Config(List.of())));

        assertThat(found.missing()).isFalse();
        assertThat(found.partitions()).isEqualTo(1);
    }

    /** The two answers may come from different brokers, or from one before and after it learned of the topic. */
    @Test
    void find_topicIsKnownButItsSettingsAreNot_isMissing() {
        KafkaFutureImpl<Config> config = new KafkaFutureImpl<>();
        config.completeExceptionally(new UnknownTopicOrPartitionException());

        assertThat(FoundTopic.find("log", ONE_PARTITION, config).missing()).isTrue();
    }
}
