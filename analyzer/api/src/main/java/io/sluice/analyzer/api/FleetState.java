package io.sluice.analyzer.api;

import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.KillSwitches;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetJson;
import io.sluice.contract.topic.TopicFollower;
import io.sluice.contract.topic.TopicNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The newest records of all analyzers, operators and agents, as far as they still hold. Unreadable records are skipped, as agents
 * skip them. Thread-safe.
 */
final class FleetState implements TopicFollower.Listener {
    private static final long SWEEP_MILLIS = 60_000;
    /** Agents that are silent for longer are removed: they were replaced under another name. */
    private static final long SILENT_MILLIS = 3_600_000;

    private final TopicNames topics;
    private final long maxLease;
    private final KillSwitches switches = new KillSwitches();
    private final LockValidity validity = new LockValidity();
    private final Map<String, Appended<GateLock>> locks = new HashMap<>();
    private final Map<String, Appended<OperatorRecord>> operators = new HashMap<>();
    private final Map<String, Appended<AgentHeartbeat>> agents = new HashMap<>();
    private @Nullable PolicySet policies;
    private boolean read;
    private long newest;
    private long swept;

    /** A record with its append time. */
    record Appended<R>(R record, long append) {}

    /** @param maxLease the longest lease of a lock, in milliseconds */
    FleetState(TopicNames topics, long maxLease) {
        this.topics = topics;
        this.maxLease = maxLease;
    }

    List<String> followed() {
        return List.of(topics.gateLocks(), topics.operator(), topics.agents(), topics.policies());
    }

    @Override
    public synchronized void record(ConsumerRecord<byte[], byte[]> record) {
        newest = Math.max(newest, record.timestamp());
        if (newest - swept >= SWEEP_MILLIS) {
            swept = newest;
            sweep();
        }
        if (record.key() == null) {
            return;
        }
        String key = new String(record.key(), StandardCharsets.UTF_8);
        try {
            if (record.topic().equals(topics.gateLocks())) {
                gate(key, record);
            } else if (record.topic().equals(topics.operator())) {
                operator(key, record);
            } else if (record.topic().equals(topics.agents())) {
                agent(key, record);
            } else if (record.value() != null && key.equals(PolicySetJson.ACTIVE)) {
                policies = PolicySetJson.read(record.value());
            }
        } catch (MalformedRecord | InvalidPolicies e) {
            // agents skip unreadable records too
        }
    }

    /** Removes locks that ran out and agents that died: no record reports either. */
    private void sweep() {
        locks.values().removeIf(said -> over(said, newest));
        operators.values().removeIf(said -> noLonger(said, newest));
        agents.values().removeIf(said -> newest - said.append > SILENT_MILLIS);
    }

    private boolean over(Appended<GateLock> said, long now) {
        return !LockValidity.holds(LockValidity.leaseEnd(said.record, said.append, maxLease), now);
    }

    private static boolean noLonger(Appended<OperatorRecord> said, long now) {
        return !LockValidity.holds(LockValidity.operatorEnd(said.record.ttlMillis(), said.append), now);
    }

    private void gate(String key, ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        Optional<GateRecord> said = validity.admitted(record.key(), record.value());
        if (said.isPresent() && said.get() instanceof GateLock lock) {
            // a mode of a later version only reports, and can't be written
            if (lock.mode() == Mode.OPEN || lock.mode() == Mode.UNKNOWN) {
                locks.remove(key);
            } else {
                locks.put(key, new Appended<>(lock, record.timestamp()));
            }
        }
    }

    private void operator(String key, ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        operators.remove(key);
        Optional<OperatorRecord> read =
                record.value() == null ? Optional.empty() : OperatorJson.read(record.key(), record.value());
        read.ifPresent(said -> operators.put(key, new Appended<>(said, record.timestamp())));
        switches.accept(CompositeKey.read(record.key()), read.orElse(null), record.timestamp());
    }

    private void agent(String key, ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        if (record.value() == null) {
            agents.remove(key);
        } else {
            AgentHeartbeatJson.read(record.value())
                    .ifPresent(beat -> agents.put(key, new Appended<>(beat, record.timestamp())));
        }
    }

    @Override
    public synchronized void caughtUp() {
        read = true;
    }

    @Override
    public synchronized void again() {
        read = false;
        validity.reset();
        locks.clear();
        operators.clear();
        switches.clear();
        agents.clear();
    }

    /** Returns whether the topics have been read to their ends; until then, answers would be incomplete. */
    synchronized boolean read() {
        return read;
    }

    /** Returns the newest append time in epoch milliseconds, 0 for none. */
    synchronized long newest() {
        return newest;
    }

    synchronized @Nullable PolicySet policies() {
        return policies;
    }

    /** Returns whether the policy counts by other attributes by now, so that agents ignore the decision. */
    private boolean isForOtherSubject(String policy, @Nullable List<String> per) {
        return policies != null && !policies.fits(policy, per);
    }

    /** Returns the analyzer's locks that hold at a broker time, newest first. */
    synchronized List<Appended<GateLock>> locks(long now) {
        List<Appended<GateLock>> held = new ArrayList<>(locks.values());
        held.removeIf(said -> over(said, now) || isForOtherSubject(said.record.policy(), said.record.per()));
        held.sort(Comparator.<Appended<GateLock>>comparingLong(said -> said.record.since())
                .reversed()
                .thenComparing(said -> said.record.policy() + said.record.subject()));
        return held;
    }

    /** Returns the operators' records that hold at a broker time, newest first. */
    synchronized List<Appended<OperatorRecord>> operators(long now) {
        List<Appended<OperatorRecord>> said = new ArrayList<>(operators.values());
        said.removeIf(it -> noLonger(it, now)
                || isForOtherSubject(OperatorJson.key(it.record).get(0), it.record.per()));
        said.sort(Comparator.<Appended<OperatorRecord>>comparingLong(Appended::append)
                .reversed());
        return said;
    }

    /** Returns the kill switches that are off at a broker time. */
    List<KillSwitches.Off> switchedOff(long now) {
        return switches.off(now);
    }

    /** Returns agents by service and name, silent ones included for at least an hour. */
    synchronized List<Appended<AgentHeartbeat>> agents() {
        List<Appended<AgentHeartbeat>> heard = new ArrayList<>(agents.values());
        heard.sort(Comparator.comparing(said -> said.record.service() + "\u0000" + said.record.agent()));
        return heard;
    }
}
