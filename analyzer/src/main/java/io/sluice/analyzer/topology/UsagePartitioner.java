package io.sluice.analyzer.topology;

import io.sluice.contract.key.Partitions;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsageRecord;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * A partial goes where its subject's gate lock will stand, whatever revision its policy has; how far a meter has read
 * concerns every partition.
 */
final class UsagePartitioner implements StreamPartitioner<UsageKey, UsageRecord> {

    @Override
    public Optional<Set<Integer>> partitions(String topic, UsageKey key, UsageRecord record, int partitions) {
        if (record instanceof MeterPosition) {
            return Optional.of(IntStream.range(0, partitions).boxed().collect(Collectors.toUnmodifiableSet()));
        }
        return Optional.of(Set.of(Partitions.of(key.partitionKey(), partitions)));
    }
}
