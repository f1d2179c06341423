package io.sluice.analyzer.topology;

import io.sluice.analyzer.window.Retention;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.UsageKey;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyConfig;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The whole analyzer on one screen. Two halves that share nothing but the usage topic:
 *
 * <pre>
 *   requests (any key) ─► meter ──► usage (by subject) ─► decide ──► gate-locks
 *                           ├─► loads (positions)           ├──► decisions
 *                           └─► dead-letters                │
 *                                                           ├──► loads
 *                                                           └──► dead-letters
 * </pre>
 *
 * <p>Each partition of requests has a {@link io.sluice.analyzer.meter.Meter}. Each partition of usage has a {@link
 * io.sluice.analyzer.decide.UsageTask}, which owns, in the order of the data flow:
 *
 * <ul>
 *   <li>{@link io.sluice.analyzer.window.Windows}: the sliding windows of subjects and of groups, over RocksDB;
 *   <li>{@link io.sluice.analyzer.load.LoadTotals}: the loads of groups, published on the loads topic and read back from it;
 *   <li>{@link io.sluice.analyzer.detect.Detection}: the detectors, with baselines and debts;
 *   <li>{@code Leases}: the life cycle of gate locks.
 * </ul>
 *
 * <p>Keys and values are bytes at the sources, so that unreadable records become dead letters instead of failures of Kafka Streams.
 */
public final class AnalyzerTopology {
    private static final ByteArrayDeserializer BYTES = new ByteArrayDeserializer();
    private static final ByteArraySerializer RAW = new ByteArraySerializer();
    private static final Serializer<UsageKey> USAGE_KEY = (topic, key) -> key.bytes();
    private static final Serializer<UsageOut.Bundle> BUNDLE = (topic, bundle) -> bundle.bytes();
    private static final Serializer<Load> LOAD = (topic, load) -> load == null ? null : LoadCodec.write(load);
    private static final Serializer<GateKey> GATE_KEY = (topic, key) -> key.bytes();

    private AnalyzerTopology() {}

    /** The topology of these parts. */
    public static Topology of(Parts parts, StreamsConfig config) {
        Topology topology = new Topology(new TopologyConfig(config));
        boolean doubles =
                StreamsConfig.AT_LEAST_ONCE.equals(config.getString(StreamsConfig.PROCESSING_GUARANTEE_CONFIG));
        // a task begins on the thread that runs it
        ThreadLocal<ThreadCommits> commits =
                ThreadLocal.withInitial(() -> new ThreadCommits(parts.nanoTime(), doubles));
        ThreadLocal<ThreadPositions> positions = ThreadLocal.withInitial(() -> new ThreadPositions(parts.nanoTime()));
        meter(topology, parts, commits, positions);
        decide(topology, parts, commits);
        return topology;
    }

    private static void meter(
            Topology topology,
            Parts parts,
            ThreadLocal<ThreadCommits> commits,
            ThreadLocal<ThreadPositions> positions) {
        LongSupplier now = () -> parts.fleet()
                .brokerTime(parts.nanoTime().getAsLong(), parts.wallClock().getAsLong());
        String[] sources = new String[parts.requests().size()];
        for (int n = 0; n < sources.length; n++) {
            sources[n] = Names.requestsIn(n);
            topology.addSource(
                    AutoOffsetReset.earliest(),
                    sources[n],
                    new AppendTime(now),
                    BYTES,
                    BYTES,
                    parts.requests().get(n).topic());
        }
        topology.addProcessor(
                Names.METER,
                () -> new ProcessorPerTask(
                        parts.rules().tick(),
                        context -> new MeterProcessor(parts, context, commits.get(), positions.get())),
                sources);
        topology.addStateStore(CombinerStore.builder(Names.METER_COMBINER), Names.METER);
        topology.addStateStore(keyValue(Names.METER_EPOCH), Names.METER);
        TopicNames topics = parts.topics();
        topology.addSink(Names.USAGE_OUT, topics.usage(), RAW, BUNDLE, new UsageOut.Partitioner(), Names.METER);
        topology.addSink(Names.POSITIONS_OUT, topics.loads(), USAGE_KEY, LOAD, Names.METER);
        topology.addSink(Names.BAD_REQUESTS_OUT, topics.deadLetters(), RAW, RAW, Names.METER);
    }

    private static void decide(Topology topology, Parts parts, ThreadLocal<ThreadCommits> commits) {
        TopicNames topics = parts.topics();
        topology.addSource(Names.USAGE_IN, BYTES, BYTES, topics.usage());
        topology.addProcessor(
                Names.DECIDE,
                () -> new ProcessorPerTask(
                        parts.rules().tick(), context -> new DecideProcessor(parts, context, commits.get())),
                Names.USAGE_IN);
        topology.addStateStore(CombinerStore.builder(Names.DECIDE_COMBINER), Names.DECIDE);
        topology.addStateStore(keyValue(Names.LEASES), Names.DECIDE);
        for (Retention retention : Retention.values()) {
            topology.addStateStore(windows(retention), Names.DECIDE);
        }
        topology.addSink(
                Names.GATE_LOCKS_OUT, topics.gateLocks(), GATE_KEY, RAW, new GateKey.Partitioner(), Names.DECIDE);
        topology.addSink(Names.DECISIONS_OUT, topics.decisions(), RAW, RAW, Names.DECIDE);
        topology.addSink(Names.LOADS_OUT, topics.loads(), USAGE_KEY, LOAD, Names.DECIDE);
        topology.addSink(Names.BAD_USAGE_OUT, topics.deadLetters(), RAW, RAW, Names.DECIDE);
    }

    private static StoreBuilder<KeyValueStore<Bytes, byte[]>> keyValue(String name) {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingEnabled(Changelogs.latest())
                .withCachingDisabled();
    }

    private static StoreBuilder<?> windows(Retention retention) {
        // a block is one entry; its length in time is the rules' business, so the smallest window will do
        return Stores.windowStoreBuilder(
                        Stores.persistentWindowStore(
                                Names.windows(retention),
                                Duration.ofMillis(retention.millis()),
                                Duration.ofMillis(1),
                                false),
                        Serdes.Bytes(),
                        Serdes.ByteArray())
                .withLoggingEnabled(Changelogs.windows(retention))
                .withCachingDisabled();
    }
}
