package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.load.MeterPositions;
import io.sluice.analyzer.topology.ReadPositions;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class LogEndsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final String topic = TestKafka.name("ends");
    private final String group = topic + "-group";
    private final AtomicLong now = new AtomicLong(10_000);
    private final MeterPositions positions = new MeterPositions();
    private LogEnds ends;
    private ReadPositions.Reader reader;

    @BeforeEach
    void start() {
        TestKafka.topic(topic, 1);
        ends = new LogEnds(TestKafka.admin(), group, now::get, positions::snapshot, () -> 0);
        reader = ends.reader(topic, 0);
    }

    @AfterEach
    void stop() {
        reader.close();
        ends.close();
    }

    @Test
    void anEmptyPartitionHasBeenReadUpToNow() {
        ends.start();

        await().atMost(PATIENCE).until(() -> reader.position() == 10_000);
        now.set(11_000);
        await().atMost(PATIENCE).until(() -> reader.position() == 11_000);
    }

    @Test
    void whoIsBehindHasReadUpToBeforeTheLastRecordItHandled() {
        TestKafka.send(topic, List.of("a", "b", "c"));
        reader.handled(0, 5000);
        reader.handled(1, 6000);
        ends.start();
        now.set(12_000);
        awaitARound();
        assertThat(reader.position()).isEqualTo(5999);

        reader.handled(2, 6000);
        await().atMost(PATIENCE).until(() -> reader.position() == 12_000);
    }

    @Test
    void whereTheGroupStandsCountsUntilSomethingIsHandled() throws Exception {
        TestKafka.send(topic, List.of("a", "b", "c"));
        commit(3);
        ends.start();

        await().atMost(PATIENCE).until(() -> reader.position() == 10_000);
    }

    @Test
    void theMarkerOfATransactionIsPassedWhenTheGroupHasPassedIt() throws Exception {
        TestKafka.sendInTransaction(topic, List.of("a"));
        reader.handled(0, 5000);
        ends.start();
        awaitARound();
        assertThat(reader.position()).isEqualTo(4999);

        commit(2);

        await().atMost(PATIENCE).until(() -> reader.position() == 10_000);
    }

    @Test
    void whatRetentionTookBeforeTheGroupReadItIsNotWaitedFor() throws Exception {
        TestKafka.send(topic, List.of("a", "b", "c"));
        commit(1);
        deleteAll();
        ends.start();

        await().atMost(PATIENCE).until(() -> reader.position() == 10_000);
    }

    @Test
    void whatRetentionTookFromAReaderThatWasBehindIsNotWaitedFor() throws Exception {
        TestKafka.send(topic, List.of("a", "b", "c"));
        reader.handled(0, 5000);
        deleteAll();
        ends.start();

        await().atMost(PATIENCE).until(() -> reader.position() == 10_000);
    }

    @Test
    void poll_partitionWithoutLeader_doesNotStopTheOthers() {
        try (ReadPositions.Reader leaderless = ends.reader(topic, 7)) {
            ends.start();

            await().atMost(PATIENCE).until(() -> reader.position() == 10_000);
            now.set(11_000);
            await().atMost(PATIENCE).until(() -> reader.position() == 11_000);
            assertThat(leaderless.position()).isEqualTo(ReadPositions.UNKNOWN);
        }
    }

    private void commit(long offset) throws Exception {
        TestKafka.admin()
                .alterConsumerGroupOffsets(group, Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(offset)))
                .all()
                .get();
    }

    private void deleteAll() throws Exception {
        TestKafka.admin()
                .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(3)))
                .all()
                .get();
    }

    /** Another partition shows that the poller has been round. */
    private void awaitARound() {
        String another = TestKafka.topic(TestKafka.name("other"), 1);
        ReadPositions.Reader other = ends.reader(another, 0);
        await().atMost(PATIENCE).until(() -> other.position() == now.get());
    }

    @Test
    void usageReader_recordsBeforeAPositionThatAreNotHandled_doesNotPassIt() {
        TestKafka.send(topic, List.of("a", "b"));
        try (ReadPositions.UsageReader usage = ends.usageReader(topic, 0)) {
            position(7_000);
            usage.handled(0);
            ends.start();
            awaitARound();
            awaitARound();
            assertThat(usage.passed()).isNull();

            TestKafka.send(topic, List.of("c"));
            position(8_000);
            usage.handled(1);

            // the third record was written before the second position
            await().atMost(PATIENCE).until(() -> usage.passed() != null);
            awaitARound();
            assertThat(usage.passed().position(0)).isEqualTo(7_000);
            usage.handled(2);
            await().atMost(PATIENCE).until(() -> usage.passed().position(0) == 8_000);
        }
    }

    private void position(long time) {
        positions.accept(List.of(new MeterPosition(time, new Origin(0, 1), 0)));
    }

    @Test
    void nothingIsKnownBeforeTheBrokersTimeIs() {
        now.set(ReadPositions.UNKNOWN);
        ends.start();
        assertThat(reader.position()).isEqualTo(ReadPositions.UNKNOWN);

        now.set(13_000);
        await().atMost(PATIENCE).until(() -> reader.position() == 13_000);
    }
}
