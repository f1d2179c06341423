package io.sluice.benchmarks.reaction;

import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.load.LoadBounds;
import io.sluice.analyzer.load.MeterPositions;
import io.sluice.analyzer.topology.AnalyzerTopology;
import io.sluice.analyzer.topology.DeadLetterLog;
import io.sluice.analyzer.topology.Fleet;
import io.sluice.analyzer.topology.FleetListener;
import io.sluice.analyzer.topology.Parts;
import io.sluice.analyzer.topology.ReadPositions;
import io.sluice.analyzer.topology.Tallies;
import io.sluice.benchmarks.measure.Child;
import io.sluice.contract.topic.TopicAdministration;
import io.sluice.contract.topic.TopicFollower;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.topic.Topics;
import io.sluice.settings.AnalyzerSettings;
import io.sluice.settings.SluiceSettings;
import io.sluice.settings.SourceSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.jspecify.annotations.Nullable;

/**
 * The analyzer's own topology under the settings that Kafka Streams comes with: commits every 30 s, polls of up to 100 ms,
 * a linger of 100 ms. BOOTSTRAP PREFIX STATE.
 */
final class StockChild {
    private static final long LOOK_MILLIS = 20;
    /** Kafka Streams' own default. */
    private static final long STOCK_COMMIT_MILLIS = 30_000;

    private StockChild() {}

    public static void main(String... arguments) throws Exception {
        Child.endWithParent();
        SluiceSettings settings = Settings.of(arguments[0], arguments[1], Path.of(arguments[2]), false);
        TopicNames topics = new TopicNames(arguments[1]);
        Map<String, Object> client = settings.kafka().client();
        try (Admin admin = Admin.create(client)) {
            new TopicAdministration(admin)
                    .create(Topics.definitions(
                            topics,
                            Settings.PARTITIONS,
                            settings.topics().replication(),
                            settings.analyzer().maxLease()));
        }
        Fleet fleet = new Fleet();
        fleet.policies(CheckoutPolicies.read());
        LoadBounds bounds =
                new LoadBounds(Settings.PARTITIONS, settings.analyzer().skew());
        FleetListener listener = new FleetListener(fleet, topics, new NoPolicyTopic(), bounds, System::nanoTime);
        TopicFollower follower = new TopicFollower(
                client, List.of(topics.gateLocks(), topics.loads(), topics.operator(), topics.agents()), listener);
        follower.start();
        listener.ready().await();
        StreamsConfig stock = stock(client, arguments[2]);
        KafkaStreams streams = new KafkaStreams(AnalyzerTopology.of(parts(topics, fleet, settings), stock), stock);
        streams.start();
        while (streams.state() != KafkaStreams.State.RUNNING) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        System.out.println(Standing.READY);
        Thread.currentThread().join();
    }

    private static StreamsConfig stock(Map<String, Object> client, String state) {
        Map<String, Object> given = new HashMap<>(client);
        given.put(StreamsConfig.APPLICATION_ID_CONFIG, "stock");
        given.put(StreamsConfig.STATE_DIR_CONFIG, state);
        return new StreamsConfig(given);
    }

    private static Parts parts(TopicNames topics, Fleet fleet, SluiceSettings settings) {
        AnalyzerSettings analyzer = settings.analyzer();
        SourceSettings source = settings.sources().get(0);
        return new Parts(
                topics,
                List.of(new Parts.Requests(source.topic(), Settings.PARTITIONS, () -> LogFormats.of(source))),
                Settings.PARTITIONS,
                Settings.PARTITIONS,
                new Parts.Rules(
                        analyzer.instance(),
                        analyzer.tick(),
                        STOCK_COMMIT_MILLIS,
                        STOCK_COMMIT_MILLIS,
                        analyzer.lateness(),
                        analyzer.skew(),
                        analyzer.backlog(),
                        analyzer.maxLease()),
                fleet,
                new NoPositions(),
                new Tallies(),
                new DeadLetterLog(System::nanoTime),
                DistinctHash.UNKEYED,
                System::currentTimeMillis,
                System::nanoTime);
    }

    /** No policy has a share here, so the position in the log is not needed. */
    private static final class NoPositions implements ReadPositions, ReadPositions.Reader, ReadPositions.UsageReader {
        @Override
        public Reader reader(String topic, int partition) {
            return this;
        }

        @Override
        public UsageReader usageReader(String topic, int partition) {
            return this;
        }

        @Override
        public void handled(long offset, long append) {}

        @Override
        public void handled(long offset) {}

        @Override
        public MeterPositions.@Nullable Snapshot passed() {
            return null;
        }

        @Override
        public long position() {
            return ReadPositions.UNKNOWN;
        }

        @Override
        public void close() {}
    }

    /** The policies are given. */
    private static final class NoPolicyTopic implements FleetListener.PolicyTopic {
        @Override
        public void record(byte[] key, byte[] value, String origin) {}

        @Override
        public void caughtUp() {}

        @Override
        public void again() {}
    }
}
