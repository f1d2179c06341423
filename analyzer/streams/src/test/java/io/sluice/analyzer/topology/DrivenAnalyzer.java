package io.sluice.analyzer.topology;

import io.sluice.analyzer.Count;
import io.sluice.analyzer.decide.TaskHeartbeats;
import io.sluice.analyzer.distinct.DistinctHash;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.analyzer.load.LoadBounds;
import io.sluice.analyzer.load.MeterPositions;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.UsageKey;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/** The topology without a broker: a test moves the time, and hands back what an analyzer reads back. */
final class DrivenAnalyzer implements AutoCloseable {
    static final TopicNames TOPICS = new TopicNames("sluice.");
    private static final ByteArrayDeserializer BYTES = new ByteArrayDeserializer();

    final Fleet fleet = new Fleet(this::nanoTime);
    final Tallies tallies = new Tallies();
    final List<GateLock> locks = new ArrayList<>();
    final List<AnalyzerHeartbeat> heartbeats = new ArrayList<>();
    final List<TestRecord<byte[], byte[]>> decisions = new ArrayList<>();
    final List<TestRecord<byte[], byte[]>> loads = new ArrayList<>();
    final List<TestRecord<byte[], byte[]>> usage = new ArrayList<>();
    final List<TestRecord<byte[], byte[]>> deadLetters = new ArrayList<>();
    private final FleetListener listener;
    private final TopologyTestDriver driver;
    private final TestInputTopic<byte[], byte[]> requests;
    private long now;
    private long lag;
    private final boolean behind;

    DrivenAnalyzer(Path state, PolicySet policies, long start) {
        this(state, policies, start, false);
    }

    /** @param loads what is on the loads topic at the start, by key */
    DrivenAnalyzer(Path state, PolicySet policies, long start, Map<UsageKey, Load> loads) {
        this(state, policies, start, false, 1, Long.MAX_VALUE, loads);
    }

    /** @param behind whether there is always more on the log than what its meters have handled */
    DrivenAnalyzer(Path state, PolicySet policies, long start, boolean behind) {
        this(state, policies, start, behind, 1);
    }

    /** @param meters how many there are, of which it runs the first */
    DrivenAnalyzer(Path state, PolicySet policies, long start, boolean behind, int meters) {
        this(state, policies, start, behind, meters, Long.MAX_VALUE);
    }

    /** @param most requests that the source may report in a second */
    DrivenAnalyzer(Path state, PolicySet policies, long start, boolean behind, int meters, long most) {
        this(state, policies, start, behind, meters, most, Map.of());
    }

    private DrivenAnalyzer(
            Path state,
            PolicySet policies,
            long start,
            boolean behind,
            int meters,
            long most,
            Map<UsageKey, Load> published) {
        this.behind = behind;
        now = start;
        fleet.policies(policies);
        listener = new FleetListener(fleet, TOPICS, new Unused(), new LoadBounds(meters, 5_000), this::nanoTime);
        published.forEach((key, load) -> load(key.bytes(), LoadCodec.write(load)));
        listener.caughtUp();
        Parts parts = new Parts(
                TOPICS,
                List.of(new Parts.Requests(
                        TOPICS.requests(), 1, 1, most, () -> LogFormats.of(TestFleet.json(TOPICS.requests())))),
                meters,
                1,
                new Parts.Rules("driven", 5, 200, 2_000, 60_000, 5_000, 30_000, 600_000),
                fleet,
                new Lagging(),
                tallies,
                new DeadLetterLog(this::nanoTime),
                DistinctHash.UNKEYED,
                () -> now,
                this::nanoTime);
        Properties properties = new Properties();
        properties.putAll(Map.of(
                StreamsConfig.APPLICATION_ID_CONFIG,
                "driven",
                StreamsConfig.BOOTSTRAP_SERVERS_CONFIG,
                "unused:1",
                StreamsConfig.STATE_DIR_CONFIG,
                state.toString(),
                StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG,
                0,
                StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG,
                true));
        driver = new TopologyTestDriver(
                AnalyzerTopology.of(parts, new StreamsConfig(properties)), properties, Instant.ofEpochMilli(start));
        requests = driver.createInputTopic(TOPICS.requests(), new ByteArraySerializer(), new ByteArraySerializer());
        pass(3);
    }

    private long nanoTime() {
        return now * 1_000_000;
    }

    long now() {
        return now;
    }

    /** From now on the meters say that they lag behind. */
    void lag(long millis) {
        lag = millis;
    }

    /** Moves the time on in steps, as live time does. */
    void passUntil(long time) {
        while (time - now > 250) {
            step(250);
        }
        step(time - now);
    }

    /** A few ticks: what was read has had its consequences. */
    void pass(int ticks) {
        for (int i = 0; i < ticks; i++) {
            step(5);
        }
    }

    private void step(long millis) {
        if (millis > 0) {
            now += millis;
            driver.advanceWallClockTime(Duration.ofMillis(millis));
            readBack();
        }
    }

    void append(byte[] key, byte[] value) {
        append(key, value, now);
    }

    /** A record of another time: the topic keeps the producers'. */
    void append(byte[] key, byte[] value, long time) {
        requests.pipeInput(key, value, time);
        readBack();
    }

    /** Puts a record on the usage topic that none of its meters has written. */
    void usage(byte[] key, byte[] value) {
        driver.createInputTopic(TOPICS.usage(), new ByteArraySerializer(), new ByteArraySerializer())
                .pipeInput(key, value, now);
        readBack();
    }

    /** Returns how many records of the control topics were skipped. */
    long unreadable() {
        return listener.unreadable();
    }

    long count(Count count) {
        return tallies.total().getOrDefault(count, 0L);
    }

    /** Puts a heartbeat on the gate-locks topic that its task has not written. */
    void gate(AnalyzerHeartbeat heartbeat) {
        gate(TaskHeartbeats.task(heartbeat.version()), heartbeat);
    }

    /** Puts a heartbeat on a partition, which may be another than its task's. */
    void gate(int partition, AnalyzerHeartbeat heartbeat) {
        follow(
                TOPICS.gateLocks(),
                partition,
                new TestRecord<>(CompositeKey.bytes(GateKeys.of(heartbeat)), GateLockJson.write(heartbeat)));
    }

    /** Puts a record on the loads topic that its task has not written. */
    void load(byte[] key, byte[] value) {
        follow(TOPICS.loads(), new TestRecord<>(key, value));
    }

    private void readBack() {
        loads.addAll(drain(TOPICS.loads()));
        usage.addAll(driver.createOutputTopic(TOPICS.usage(), BYTES, BYTES).readRecordsToList());
        for (TestRecord<byte[], byte[]> record : drain(TOPICS.gateLocks())) {
            remember(record);
        }
        decisions.addAll(
                driver.createOutputTopic(TOPICS.decisions(), BYTES, BYTES).readRecordsToList());
        var dead = driver.createOutputTopic(TOPICS.deadLetters(), BYTES, BYTES);
        deadLetters.addAll(dead.readRecordsToList());
    }

    private List<TestRecord<byte[], byte[]>> drain(String topic) {
        List<TestRecord<byte[], byte[]>> records =
                driver.createOutputTopic(topic, BYTES, BYTES).readRecordsToList();
        records.forEach(record -> follow(topic, record));
        return records;
    }

    private void follow(String topic, TestRecord<byte[], byte[]> record) {
        follow(topic, 0, record);
    }

    private void follow(String topic, int partition, TestRecord<byte[], byte[]> record) {
        listener.record(new ConsumerRecord<>(
                topic,
                partition,
                0,
                now,
                TimestampType.LOG_APPEND_TIME,
                -1,
                -1,
                record.key(),
                record.value(),
                record.headers(),
                Optional.empty()));
    }

    private void remember(TestRecord<byte[], byte[]> record) {
        try {
            GateRecord read = record.value() == null
                    ? null
                    : GateLockJson.read(record.value()).orElseThrow();
            if (read instanceof GateLock lock) {
                locks.add(lock);
            } else if (read instanceof AnalyzerHeartbeat heartbeat) {
                heartbeats.add(heartbeat);
            }
        } catch (MalformedRecord e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        driver.close();
    }

    /** All has been read, but for what came last. */
    private final class Lagging implements ReadPositions {
        @Override
        public UsageReader usageReader(String topic, int partition) {
            return new UsageReader() {
                @Override
                public void handled(long offset) {}

                @Override
                public MeterPositions.Snapshot passed() {
                    return fleet.positions().snapshot();
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public Reader reader(String topic, int partition) {
            return new Reader() {
                private long handled = UNKNOWN;

                @Override
                public void handled(long offset, long append) {
                    handled = Math.max(handled, append);
                }

                @Override
                public long position() {
                    return !behind ? now - lag : handled == UNKNOWN ? UNKNOWN : handled - 1;
                }

                @Override
                public void close() {}
            };
        }
    }

    private static final class Unused implements FleetListener.PolicyTopic {
        @Override
        public void record(byte[] key, byte[] value, String origin) {}

        @Override
        public void caughtUp() {}

        @Override
        public void again() {}
    }
}
