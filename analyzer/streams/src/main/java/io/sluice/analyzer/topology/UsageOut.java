package io.sluice.analyzer.topology;

import io.sluice.analyzer.meter.PartialSink;
import io.sluice.contract.key.Partitions;
import io.sluice.contract.usage.MeterPosition;
import io.sluice.contract.usage.UsageBundle;
import io.sluice.contract.usage.UsageCodec;
import io.sluice.contract.usage.UsageKey;
import io.sluice.contract.usage.UsagePartial;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.jspecify.annotations.Nullable;

/**
 * Output of a meter, gathered into one record for each partition of the usage topic. A partial goes where its subject's
 * gate lock will stand, whatever revision its policy has. Only partitions that something is written to cost anything. One thread.
 */
public final class UsageOut implements PartialSink {
    /** Some fifty partials share what a record costs; and as many records as Kafka Streams buffers for a task fit into memory. */
    private static final int FULL = 4 * 1024;

    /** Buffers that are kept for reuse. */
    private static final int SPARE = 16;

    private final byte[] meter;
    private final @Nullable UsageBundle[] bundles;
    /** The partitions that have a bundle. */
    private final BitSet open = new BitSet();
    /** The partitions that partials were written to since the last position. */
    private final BitSet written = new BitSet();

    private final Deque<UsageBundle> spare = new ArrayDeque<>();
    private final BiConsumer<byte[], Bundle> sink;

    /** A record's value, and where it goes. */
    public static final class Bundle {
        private final int partition;
        private final byte[] bytes;

        private Bundle(int partition, byte[] bytes) {
            this.partition = partition;
            this.bytes = bytes;
        }

        /** The partition of the usage topic that the record goes to. */
        public int partition() {
            return partition;
        }

        /** The record's value. Not copied. */
        public byte[] bytes() {
            return bytes;
        }
    }

    /**
     * @param task the meter's
     * @param partitions of the usage topic
     * @param sink takes each bundle under the meter's key
     */
    public UsageOut(int task, int partitions, BiConsumer<byte[], Bundle> sink) {
        meter = UsageKey.ofMeter(task).bytes();
        bundles = new UsageBundle[partitions];
        this.sink = sink;
    }

    @Override
    public void partial(UsageKey key, UsagePartial partial) {
        int partition = Partitions.of(key.partitionKey(), bundles.length);
        written.set(partition);
        add(partition, key.bytes(), UsageCodec.write(partial));
    }

    /** Returns whether partials were sent since the last position. */
    public boolean awaitsPosition() {
        return !written.isEmpty();
    }

    /**
     * Sends the meter's position, after all partials up to it, to the partitions that partials were sent to since the last position, and to
     * those whose decide task does not follow the positions that are published for all.
     *
     * @param follows whether the decide task of a partition does
     */
    public void position(MeterPosition position, IntPredicate follows) {
        byte[] value = UsageCodec.write(position);
        for (int partition = 0; partition < bundles.length; partition++) {
            if (written.get(partition) || !follows.test(partition)) {
                add(partition, meter, value);
            }
        }
        written.clear();
    }

    private void add(int partition, byte[] key, byte[] value) {
        UsageBundle bundle = bundles[partition];
        if (bundle == null) {
            bundle = spare.isEmpty() ? new UsageBundle() : spare.pop();
            bundles[partition] = bundle;
            open.set(partition);
        }
        bundle.add(key, value);
        if (bundle.size() >= FULL) {
            leave(partition, bundle);
        }
    }

    /** Everything is sent. */
    public void leave() {
        for (int partition = open.nextSetBit(0); partition >= 0; partition = open.nextSetBit(partition + 1)) {
            UsageBundle bundle = bundles[partition];
            if (bundle != null) {
                leave(partition, bundle);
            }
        }
    }

    private void leave(int partition, UsageBundle bundle) {
        byte[] bytes = bundle.take();
        close(partition, bundle);
        sink.accept(meter, new Bundle(partition, bytes));
    }

    private void close(int partition, UsageBundle empty) {
        bundles[partition] = null;
        open.clear(partition);
        if (spare.size() < SPARE) {
            spare.push(empty);
        }
    }

    /** What has not left is forgotten. */
    void discard() {
        open.stream().forEach(partition -> bundles[partition] = null);
        open.clear();
        written.clear();
    }

    /** Each bundle knows its partition. */
    static final class Partitioner implements StreamPartitioner<byte[], Bundle> {
        @Override
        public Optional<Set<Integer>> partitions(String topic, byte[] key, Bundle bundle, int partitions) {
            return Optional.of(Set.of(bundle.partition));
        }
    }
}
