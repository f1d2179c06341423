package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.key.Partitions;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.Origin;
import io.sluice.contract.usage.UsageBundle;
import io.sluice.contract.usage.UsageCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import io.sluice.contract.usage.UsageRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where records come in and go out: which time they have, which partition they take. */
class EdgesTest {
    private static final Origin ORIGIN = new Origin(0, 1);

    @ParameterizedTest
    @CsvSource({
        "1763700000999, 1763700000999",
        "1763700001000, 1763700001000",
        "1763700001001, 1763700001000",
        "172800000, 172800000",
        "172799999, 1763700001000",
        "0, 1763700001000",
        "-1, 1763700001000"
    })
    void theAppendTimeIsTheRecordsAndNeverLaterThanTheBrokers(long timestamp, long expected) {
        // as Kafka Streams hands over each record, with a time of the client or of the broker
        ConsumerRecord<Object, Object> record = new ConsumerRecord<>(
                "t",
                0,
                0,
                timestamp,
                TimestampType.CREATE_TIME,
                0,
                0,
                null,
                null,
                new RecordHeaders(),
                Optional.empty());

        assertThat(new AppendTime(() -> 1_763_700_001_000L).extract(record, -1)).isEqualTo(expected);
    }

    @Test
    void aPartialGoesWhereItsLockWillStandWhateverThePolicysRevision() {
        UsagePartial partial = new UsagePartial(false, 1, 1, 1, 0, 5, 5, ORIGIN, 1);
        for (int caller = 0; caller < 100; caller++) {
            List<String> subject = List.of("caller-" + caller);
            byte[] lockKey = CompositeKey.bytes(List.of("noisy", subject.get(0)));
            List<UsageOut.Bundle> sent = new ArrayList<>();
            UsageOut usage = new UsageOut(3, 7, (key, bundle) -> sent.add(bundle));

            usage.partial(new UsageKey("noisy@1111111111111111", subject), partial);
            usage.partial(new UsageKey("noisy@2222222222222222", subject), partial);
            usage.leave();

            assertThat(sent).hasSize(1);
            assertThat(partitions(sent.get(0), 7)).contains(Set.of(Partitions.of(lockKey, 7)));
        }
    }

    @Test
    void position_taskThatReadsNoPublishedPositions_isWrittenToItsPartition() {
        List<UsageOut.Bundle> sent = new ArrayList<>();
        UsageOut usage = new UsageOut(3, 3, (key, bundle) -> sent.add(bundle));

        usage.position(new MeterPosition(5, ORIGIN, 1), task -> task == 1);
        usage.leave();

        assertThat(sent.stream().map(bundle -> partitions(bundle, 3).orElseThrow()))
                .containsExactly(Set.of(0), Set.of(2));
    }

    @Test
    void position_partitionWithPartials_followsThemOnce() throws MalformedRecord {
        List<UsageOut.Bundle> sent = new ArrayList<>();
        UsageOut usage = new UsageOut(3, 3, (key, bundle) -> sent.add(bundle));
        UsageKey key = new UsageKey("noisy@1111111111111111", List.of("caller"));

        usage.partial(key, new UsagePartial(false, 1, 1, 1, 0, 5, 5, ORIGIN, 1));
        usage.leave();
        usage.position(new MeterPosition(5, ORIGIN, 2), task -> true);
        usage.position(new MeterPosition(6, ORIGIN, 3), task -> true);
        usage.leave();

        assertThat(sent.stream().map(bundle -> partitions(bundle, 3).orElseThrow()))
                .containsOnly(Set.of(Partitions.of(key.partitionKey(), 3)));
        List<UsageRecord> records = new ArrayList<>();
        UsageBundle.read(sent.get(1).bytes(), (name, value) -> records.add(UsageCodec.read(value)));
        assertThat(records).containsExactly(new MeterPosition(5, ORIGIN, 2));
    }

    @Test
    void aBundleThatIsFullLeavesBeforeTheOthers() {
        List<UsageOut.Bundle> sent = new ArrayList<>();
        UsageOut usage = new UsageOut(3, 1, (key, bundle) -> sent.add(bundle));

        for (int seq = 0; sent.isEmpty() && seq < 10_000; seq++) {
            usage.partial(
                    new UsageKey("noisy@1111111111111111", List.of("caller-" + seq)),
                    new UsagePartial(false, 1, 1, 1, 0, 5, 5, ORIGIN, seq));
        }

        assertThat(sent).hasSize(1);
        assertThat(sent.get(0).bytes().length).isBetween(4 * 1024, 5 * 1024);
    }

    private static Optional<Set<Integer>> partitions(UsageOut.Bundle bundle, int partitions) {
        return new UsageOut.Partitioner().partitions("usage", new byte[0], bundle, partitions);
    }

    @Test
    void aDecideTaskWritesToItsOwnPartition() {
        assertThat(new GateKey.Partitioner().partitions("gate-locks", new GateKey(2, new byte[] {1}), new byte[0], 4))
                .contains(Set.of(2));
    }
}
