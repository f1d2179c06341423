package io.sluice.analyzer.cli;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.operator.KillSwitches;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.policy.PolicySetReader;
import io.sluice.contract.topic.TopicFollower;
import io.sluice.contract.topic.TopicNames;
import io.sluice.settings.InvalidSettings;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** The newest heartbeats of analyzers and agents, and the difference of this machine's clock. Thread-safe. */
final class Pulse {
    /** An analyzer speaks each second, an agent every five. */
    private static final long LISTEN_MILLIS = 7_000;

    private final TopicNames topics;
    private final KillSwitches switches = new KillSwitches();
    private final LockValidity validity = new LockValidity();
    private final long started;
    private final AgentsView agents = new AgentsView();
    private final Map<Integer, Beat> analyzers = new HashMap<>();
    private final CountDownLatch read = new CountDownLatch(1);
    private final CountDownLatch live = new CountDownLatch(1);
    private @Nullable PolicySet active;
    private String activeProblem = "";
    private @Nullable String desired;
    private long desiredAt;
    private long newest;
    private @Nullable Long ahead;
    private long aheadAtLeast;

    /**
     * The newest heartbeat on a partition of gate-locks.
     *
     * @param refused how many objects of the task's state found no room
     */
    record Beat(String instance, long append, long refused) {}

    /** @param started the wall clock's time before the topics' ends were asked for, epoch milliseconds */
    Pulse(TopicNames topics, long started) {
        this.topics = topics;
        this.started = started;
    }

    /** Reads the topics to their ends, then waits a few seconds for a heartbeat. */
    static Pulse feel(Connection connection) throws InvalidSettings, Refused, InterruptedException {
        Pulse pulse = new Pulse(connection.topics(), System.currentTimeMillis());
        TopicFollower.Listener listener = new TopicFollower.Listener() {
            @Override
            public void record(ConsumerRecord<byte[], byte[]> record) {
                pulse.accept(record, System.currentTimeMillis());
            }

            @Override
            public void caughtUp() {
                pulse.present();
            }
        };
        TopicNames topics = connection.topics();
        List<String> followed = List.of(topics.gateLocks(), topics.agents(), topics.policies(), topics.operator());
        try (TopicFollower follower = new TopicFollower(connection.client(), followed, listener)) {
            follower.start();
            connection.await(pulse.read, follower);
            boolean heard = pulse.live.await(LISTEN_MILLIS, TimeUnit.MILLISECONDS);
            assert heard || pulse.ahead() == null;
        }
        return pulse;
    }

    /** What comes from now on was written just now. */
    void present() {
        read.countDown();
    }

    synchronized void accept(ConsumerRecord<byte[], byte[]> record, long wallClock) {
        newest = Math.max(newest, record.timestamp());
        if (read.getCount() == 0 && record.timestampType() == TimestampType.LOG_APPEND_TIME && ahead == null) {
            ahead = wallClock - record.timestamp();
            aheadAtLeast = started - record.timestamp();
            live.countDown();
        }
        if (record.topic().equals(topics.agents())) {
            agents.accept(record);
        } else if (record.topic().equals(topics.operator())) {
            switches.read(record.key(), record.value(), record.timestamp());
        } else if (record.topic().equals(topics.gateLocks())) {
            gate(record);
        } else if (record.key() != null && record.value() != null) {
            policies(new String(record.key(), StandardCharsets.UTF_8), record);
        }
    }

    private void gate(ConsumerRecord<byte[], byte[]> record) {
        try {
            if (validity.admitted(record.key(), record.value()).orElse(null) instanceof AnalyzerHeartbeat beat) {
                analyzers.put(record.partition(), new Beat(beat.instance(), record.timestamp(), beat.refused()));
            }
        } catch (MalformedRecord e) {
            // agents skip it too
        }
    }

    /** Where operators have switched enforcement off. */
    KillSwitches switches() {
        return switches;
    }

    private void policies(String key, ConsumerRecord<byte[], byte[]> record) {
        try {
            if (key.equals(PolicySetJson.ACTIVE)) {
                activeProblem = "the set in force can't be read";
                active = PolicySetJson.read(record.value());
                activeProblem = "";
            } else if (key.equals(PolicySetJson.DESIRED)) {
                desiredAt = record.timestamp();
                desired = "a set that can't be read";
                desired = PolicySetReader.read(PolicySetJson.document(record.value()))
                        .revision();
            }
        } catch (MalformedRecord | InvalidPolicies e) {
            if (key.equals(PolicySetJson.ACTIVE)) {
                activeProblem += ": " + e.getMessage();
            }
        }
    }

    /** By how many milliseconds this machine's clock is ahead of the broker's, or {@code null} without a heartbeat. */
    synchronized @Nullable Long ahead() {
        return ahead;
    }

    /**
     * The least by which this machine's clock can be ahead, in milliseconds, once {@link #ahead} is known: a live record was
     * appended after this started to ask. {@link #ahead} itself is the most, for it counts the time until the record was read.
     */
    synchronized long aheadAtLeast() {
        return aheadAtLeast;
    }

    /** The broker's time, as well as it is known. */
    synchronized long now(long wallClock) {
        return ahead == null ? Math.max(wallClock, newest) : wallClock - ahead;
    }

    synchronized List<AgentsView.Heard> agents() {
        return agents.all();
    }

    /** By partition of gate-locks. */
    synchronized Map<Integer, Beat> analyzers() {
        return Map.copyOf(analyzers);
    }

    synchronized @Nullable PolicySet active() {
        return active;
    }

    /** Why the set in force can't be read; empty when it can, or there is none. */
    synchronized String activeProblem() {
        return activeProblem;
    }

    /** The revision that is asked for, or {@code null} when none is. */
    synchronized @Nullable String desired() {
        return desired;
    }

    /** When it was asked for, epoch milliseconds. */
    synchronized long desiredAt() {
        return desiredAt;
    }
}
