package io.sluice.analyzer.topology;

import io.sluice.analyzer.meter.PartialSink;
import io.sluice.contract.key.Partitions;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.UsageBundle;
import io.sluice.contract.usage.UsageCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Output of a meter, gathered into one record for each partition of the usage topic. A partial goes where its subject's
 * gate lock will stand, whatever revision its policy has; how far the meter has read concerns every partition. One thread.
 */
final class UsageOut implements PartialSink {
    /** Some fifty partials share what a record costs; and as many records as Kafka Streams buffers for a task fit into memory. */
    private static final int FULL = 4 * 1024;

    private final byte[] meter;
    private final UsageBundle[] bundles;
    private final BiConsumer<byte[], Bundle> sink;

    /** A record's value, and where it goes. */
    static final class Bundle {
        private final int partition;
        private final byte[] bytes;

        private Bundle(int partition, byte[] bytes) {
            this.partition = partition;
            this.bytes = bytes;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /**
     * @param task the meter's
     * @param partitions of the usage topic
     * @param sink takes each bundle under the meter's key
     */
    UsageOut(int task, int partitions, BiConsumer<byte[], Bundle> sink) {
        meter = UsageKey.ofMeter(task).bytes();
        bundles = Stream.generate(UsageBundle::new).limit(partitions).toArray(UsageBundle[]::new);
        this.sink = sink;
    }

    @Override
    public void partial(UsageKey key, UsagePartial partial) {
        add(Partitions.of(key.partitionKey(), bundles.length), key.bytes(), UsageCodec.write(partial));
    }

    /** Sends the meter's position to every partition, after all partials up to it. */
    void position(MeterPosition position) {
        byte[] value = UsageCodec.write(position);
        for (int partition = 0; partition < bundles.length; partition++) {
            add(partition, meter, value);
        }
    }

    private void add(int partition, byte[] key, byte[] value) {
        bundles[partition].add(key, value);
        if (bundles[partition].size() >= FULL) {
            leave(partition);
        }
    }

    /** Everything is sent. */
    void leave() {
        for (int partition = 0; partition < bundles.length; partition++) {
            if (bundles[partition].size() > 0) {
                leave(partition);
            }
        }
    }

    private void leave(int partition) {
        sink.accept(meter, new Bundle(partition, bundles[partition].take()));
    }

    /** What has not left is forgotten. */
    void discard() {
        for (UsageBundle bundle : bundles) {
            bundle.take();
        }
    }

    /** Each bundle knows its partition. */
    static final class Partitioner implements StreamPartitioner<byte[], Bundle> {
        @Override
        public Optional<Set<Integer>> partitions(String topic, byte[] key, Bundle bundle, int partitions) {
            return Optional.of(Set.of(bundle.partition));
        }
    }
}
