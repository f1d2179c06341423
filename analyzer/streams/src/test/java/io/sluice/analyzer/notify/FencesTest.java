package io.sluice.analyzer.notify;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.Version;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class FencesTest {
    private static final TopicPartition PARTITION = new TopicPartition("locks", 0);

    private final Fences fences = new Fences();

    @Test
    void restore_whatAnotherConsumerCommitted_fencesTheSame() {
        Fences other = new Fences();
        other.of(PARTITION).admits(new Version("decide-0", 1_763_690_000_000L, 0));

        fences.restore(PARTITION, other.commit(PARTITION, 7));

        assertThat(fences.of(PARTITION).admits(new Version("decide-0", 1_763_690_000_000L - 1, 0)))
                .isFalse();
        assertThat(fences.of(PARTITION).admits(new Version("decide-0", 1_763_690_000_000L, 0)))
                .isTrue();
    }

    @Test
    void restore_metadataOfAnEarlierVersionOrNone_fencesNothing() {
        fences.restore(PARTITION, new OffsetAndMetadata(7, "written by somebody else = 5x"));
        fences.restore(PARTITION, new OffsetAndMetadata(7));
        fences.restore(PARTITION, null);

        assertThat(fences.of(PARTITION).admits(new Version("decide-0", 0, 0))).isTrue();
    }

    @Test
    void commit_forgedTasks_staysShort() {
        IntStream.range(0, 10_000).forEach(n -> fences.of(PARTITION).admits(new Version("t".repeat(100) + n, 1, 0)));

        assertThat(fences.commit(PARTITION, 7).metadata()).hasSizeLessThan(2_000);
    }
}
