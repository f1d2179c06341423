package io.sluice.analyzer.topology;

import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * A key of the gate-locks topic and the partition it is written to: the one that bears the number of the decide task. For a
 * lock that is what hashing the key would give; a heartbeat has to carry the time of its task's own partition.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record GateKey(int partition, byte[] bytes) {

    static final class Partitioner implements StreamPartitioner<GateKey, byte[]> {
        @Override
        public Optional<Set<Integer>> partitions(String topic, GateKey key, byte[] value, int partitions) {
            return Optional.of(Set.of(key.partition()));
        }
    }
}
