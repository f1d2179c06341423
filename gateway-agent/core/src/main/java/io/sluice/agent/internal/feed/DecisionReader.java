package io.sluice.agent.internal.feed;

import io.sluice.agent.internal.gate.DecisionState;
import io.sluice.agent.internal.gate.Reason;
import io.sluice.contract.agent.AgentReason;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.topic.TopicFollower;
import io.sluice.contract.topic.TopicNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads gate-locks, operator and policies from the beginning and follows them on its own thread. Unreadable records are counted and change
 * nothing.
 */
public final class DecisionReader implements TopicFollower.Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionReader.class);

    private final DecisionState decisions;
    private final TopicNames topics;
    private final LongSupplier ticks;
    private final TopicFollower follower;
    private final LongAdder malformed = new LongAdder();
    private final LongAdder newer = new LongAdder();
    private final LongAdder unsigned = new LongAdder();
    // these two are confined to the follower's thread
    private boolean policiesRead;
    private @Nullable PolicySet newest;
    private volatile @Nullable String badPolicies;
    private volatile @Nullable String wrongTime;

    /** @param kafka client settings of the host */
    public DecisionReader(
            Map<String, Object> kafka, String agent, TopicNames topics, DecisionState decisions, LongSupplier ticks) {
        this.decisions = decisions;
        this.topics = topics;
        this.ticks = ticks;
        this.follower = new TopicFollower(
                ClientSettings.consumer(kafka, agent),
                List.of(topics.gateLocks(), topics.operator(), topics.policies()),
                this);
    }

    /** Starts reading and returns at once. */
    public void start() {
        follower.start();
    }

    @Override
    public void record(ConsumerRecord<byte[], byte[]> record) {
        try {
            if (record.topic().equals(topics.policies())) {
                policies(record);
            } else if (record.key() == null) {
                malformed.increment();
            } else if (record.topic().equals(topics.operator())) {
                operator(record);
            } else {
                gateRecord(record);
            }
        } catch (MalformedRecord | RuntimeException e) {
            malformed.increment();
            LOG.debug("Record {}-{}@{} not readable; skipped", record.topic(), record.partition(), record.offset(), e);
        }
    }

    @Override
    public void refused(ConsumerRecord<byte[], byte[]> record) {
        unsigned.increment();
    }

    private void gateRecord(ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        // leases expire by themselves: tombstones only clean up the topic
        if (record.value() == null) {
            return;
        }
        checkTime(record);
        Optional<GateRecord> read = LockValidity.read(record.partition(), record.key(), record.value());
        if (read.isEmpty()) {
            newer.increment();
        } else {
            decisions.gateRecord(record.partition(), read.get(), record.timestamp(), ticks.getAsLong());
        }
    }

    private void operator(ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        if (record.value() == null) {
            decisions.operatorDeleted(OperatorJson.readKey(record.key()), ticks.getAsLong());
            return;
        }
        checkTime(record);
        Optional<OperatorRecord> read = OperatorJson.read(record.key(), record.value());
        if (read.isEmpty()) {
            newer.increment();
        } else {
            decisions.operator(read.get(), record.timestamp(), ticks.getAsLong());
        }
    }

    private void policies(ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        boolean active =
                record.key() != null && new String(record.key(), StandardCharsets.UTF_8).equals(PolicySetJson.ACTIVE);
        if (!active || record.value() == null) {
            return;
        }
        try {
            PolicySet read = PolicySetJson.read(record.value());
            badPolicies = null;
            if (policiesRead) {
                decisions.policies(read);
            } else {
                // older sets may precede it, and applying them would drop gates and their counts
                newest = read;
            }
        } catch (InvalidPolicies | MalformedRecord e) {
            badPolicies = "the policies at offset " + record.offset() + " can't be read; the last good ones are kept";
            malformed.increment();
        }
    }

    private void checkTime(ConsumerRecord<byte[], byte[]> record) {
        if (record.timestampType() != TimestampType.LOG_APPEND_TIME) {
            wrongTime = record.topic() + " must have message.timestamp.type=LogAppendTime";
        }
    }

    /** Applies the newest policies once their topic has been read. Locks may follow: they go to the gates of these policies. */
    @Override
    public void read(String topic) {
        if (topic.equals(topics.policies())) {
            policiesRead = true;
            PolicySet inForce = newest;
            newest = null;
            if (inForce != null) {
                decisions.policies(inForce);
            }
        }
    }

    @Override
    public void caughtUp() {
        decisions.caughtUp();
    }

    @Override
    public void partitions(String topic, int count) {
        if (topic.equals(topics.gateLocks())) {
            decisions.partitions(count);
        }
    }

    @Override
    public void again() {
        policiesRead = false;
        newest = null;
        decisions.again();
    }

    /** Returns the number of unreadable records. */
    public long malformed() {
        return malformed.sum();
    }

    /** Returns the number of records in a newer format. */
    public long newer() {
        return newer.sum();
    }

    /** Returns the number of records without a valid signature. */
    public long unsigned() {
        return unsigned.sum();
    }

    /** Returns what is wrong with the topics. */
    public List<Reason> reasons() {
        List<Reason> reasons = new ArrayList<>();
        add(reasons, AgentReason.TOPICS_UNREACHABLE, follower.trouble());
        add(reasons, AgentReason.POLICIES_UNREADABLE, badPolicies);
        add(reasons, AgentReason.TIMESTAMPS_WRONG, wrongTime);
        skipped(reasons, AgentReason.RECORDS_MALFORMED, malformed(), "could not be read");
        skipped(reasons, AgentReason.RECORDS_NEWER, newer(), "have a format of a newer version");
        skipped(reasons, AgentReason.RECORDS_UNSIGNED, unsigned(), "have no valid signature");
        return reasons;
    }

    private static void add(List<Reason> reasons, AgentReason code, @Nullable String text) {
        if (text != null) {
            reasons.add(new Reason(code, text));
        }
    }

    /** Reported until a restart: a skipped record may be a lock, a release or a policy. */
    private static void skipped(List<Reason> reasons, AgentReason code, long records, String why) {
        if (records > 0) {
            add(
                    reasons,
                    code,
                    records + " records of the decision topics " + why + " and were skipped since the start");
        }
    }

    /** Continues with a new Kafka client: the old one measures its waits by the wall clock, which was set back. */
    public void renew() {
        follower.renew();
    }

    /** Stops reading. The thread has ended when this returns, or ends soon after when a client hangs. */
    @Override
    public void close() {
        follower.close();
    }
}
