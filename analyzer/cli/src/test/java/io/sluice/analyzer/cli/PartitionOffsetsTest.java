package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.run.TestKafka;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PartitionOffsetsTest {
    @Test
    void of_partitionWithoutLeader_isNamedAndTheOthersAreKnown() throws Exception {
        String topic = TestKafka.topic(TestKafka.name("offsets"), 1);
        TestKafka.send(topic, List.of("a", "b"));
        TopicPartition led = new TopicPartition(topic, 0);
        TopicPartition leaderless = new TopicPartition(topic, 7);

        PartitionOffsets found = PartitionOffsets.of(
                TestKafka.admin(), List.of(leaderless, led), OffsetSpec.latest(), Duration.ofMillis(500));

        assertThat(found.known()).containsOnlyKeys(led).containsEntry(led, 2L);
        assertThat(found.unanswered()).containsExactly(leaderless.toString());
    }
}
