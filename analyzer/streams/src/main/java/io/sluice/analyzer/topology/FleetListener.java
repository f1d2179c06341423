package io.sluice.analyzer.topology;

import io.sluice.analyzer.load.LoadBounds;
import io.sluice.analyzer.load.MeterPositions;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.topic.TopicFollower;
import io.sluice.contract.topic.TopicNames;
import io.sluice.contract.usage.Load;
import io.sluice.contract.usage.LoadCodec;
import io.sluice.contract.usage.UsageKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes the records of the followed topics to the {@link Fleet}. Unreadable records are counted and skipped. */
public final class FleetListener implements TopicFollower.Listener {
    private static final Logger log = LoggerFactory.getLogger(FleetListener.class);
    private static final long LOG_EVERY_NANOS = 60_000_000_000L;

    private final Fleet fleet;
    private final TopicNames topics;
    private final PolicyTopic policies;
    private final LoadBounds bounds;
    private final CountDownLatch caughtUp = new CountDownLatch(1);
    private final AtomicLong unreadable = new AtomicLong();
    private final LongSupplier nanoTime;
    private long lastLogged;

    /** Interprets the policies topic. */
    public interface PolicyTopic {
        /**
         * Takes a record.
         *
         * @param origin topic, partition, offset and time of the record, for messages
         */
        void record(byte[] key, byte[] value, String origin);

        /** All that stood on the topic at the start has been read. */
        void caughtUp();

        /** All records come again from the beginning, then {@link #caughtUp}. */
        void again();
    }

    /**
     * @param bounds of the records of the loads topic
     * @param nanoTime the monotonic clock
     */
    public FleetListener(
            Fleet fleet, TopicNames topics, PolicyTopic policies, LoadBounds bounds, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        lastLogged = nanoTime.getAsLong() - LOG_EVERY_NANOS;
        this.fleet = fleet;
        this.topics = topics;
        this.policies = policies;
        this.bounds = bounds;
    }

    /** Opens when the history of all topics has been read. */
    public CountDownLatch ready() {
        return caughtUp;
    }

    /** How many records could not be read. */
    public long unreadable() {
        return unreadable.get();
    }

    @Override
    public void caughtUp() {
        fleet.present();
        policies.caughtUp();
        caughtUp.countDown();
    }

    @Override
    public void again() {
        policies.again();
    }

    @Override
    public void refused(ConsumerRecord<byte[], byte[]> record) {
        fleet.recordRefused();
    }

    @Override
    public void record(ConsumerRecord<byte[], byte[]> record) {
        try {
            if (record.key() == null) {
                throw new MalformedRecord("a key is missing");
            }
            read(record);
        } catch (MalformedRecord e) {
            unreadable.incrementAndGet();
            long now = nanoTime.getAsLong();
            if (now - lastLogged >= LOG_EVERY_NANOS) {
                lastLogged = now;
                log.warn(
                        "{}-{} offset {}: passed over: {} ({} so far)",
                        record.topic(),
                        record.partition(),
                        record.offset(),
                        e.getMessage(),
                        unreadable.get());
            }
        }
    }

    private void read(ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        String topic = record.topic();
        if (topic.equals(topics.loads())) {
            load(record);
        } else if (topic.equals(topics.gateLocks())) {
            gate(record);
        } else if (topic.equals(topics.policies())) {
            if (record.value() != null) {
                policies.record(record.key(), record.value(), origin(record));
            }
        } else if (topic.equals(topics.operator())) {
            operator(record);
        } else if (topic.equals(topics.agents())) {
            agent(record);
        }
    }

    private static String origin(ConsumerRecord<byte[], byte[]> record) {
        return record.topic() + "-" + record.partition() + " offset " + record.offset() + ", written "
                + Instant.ofEpochMilli(record.timestamp());
    }

    private void load(ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        UsageKey group = UsageKey.read(record.key());
        boolean positions = MeterPositions.is(group);
        if (record.value() == null) {
            if (!positions) {
                fleet.loads().forget(group);
            }
            return;
        }
        Load load = LoadCodec.read(record.value());
        if (positions) {
            fleet.positions().accept(load, bounds, appended(record));
        } else {
            bounds.check(group, load, appended(record));
            fleet.loads().accept(group, load);
        }
    }

    /** When the broker appended a record; where its topic keeps the producer's time, the later one of that and now. */
    private long appended(ConsumerRecord<byte[], byte[]> record) {
        long time = record.timestamp();
        return record.timestampType() == TimestampType.LOG_APPEND_TIME
                ? time
                : Math.max(time, fleet.brokerTime(nanoTime.getAsLong(), time));
    }

    private void gate(ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        if (record.value() == null) {
            return;
        }
        var read = LockValidity.read(record.partition(), record.key(), record.value());
        if (read.isEmpty()) {
            return;
        }
        if (read.get() instanceof AnalyzerHeartbeat heartbeat) {
            fleet.heartbeat(heartbeat, record.timestamp(), nanoTime.getAsLong());
        } else {
            fleet.wrote(read.get().version());
        }
    }

    private void operator(ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        if (record.value() == null) {
            fleet.operator(OperatorJson.readKey(record.key()), null, record.timestamp());
            return;
        }
        Optional<OperatorRecord> said = OperatorJson.read(record.key(), record.value());
        if (said.isPresent()) {
            fleet.operator(OperatorJson.key(said.get()), said.get(), record.timestamp());
        }
    }

    private void agent(ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        if (record.value() == null) {
            fleet.agents().gone(new String(record.key(), StandardCharsets.UTF_8));
            return;
        }
        AgentHeartbeatJson.read(record.key(), record.value())
                .ifPresent(beat -> fleet.agents().heard(beat, record.timestamp()));
    }
}
