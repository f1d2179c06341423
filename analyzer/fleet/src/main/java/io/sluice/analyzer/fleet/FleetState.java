package io.sluice.analyzer.fleet;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.KillSwitches;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.topic.TopicFollower;
import io.sluice.contract.topic.TopicNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * What holds now: the newest records of analyzers, operators and agents, and the policies in force. It follows the topics that it is
 * given; unreadable records are skipped, as agents skip them. Thread-safe.
 */
public final class FleetState implements TopicFollower.Listener {
    private static final long SWEEP_MILLIS = 60_000;
    /** Decide tasks write a heartbeat each second. */
    private static final long SILENT_MILLIS = 5_000;

    private final TopicNames topics;
    private final long maxLease;
    private final LongSupplier nanoTime;
    private final KillSwitches switches = new KillSwitches();
    private final LockValidity validity = new LockValidity();
    private final Map<String, Appended<GateLock>> locks = new HashMap<>();
    private final Map<String, Appended<OperatorRecord>> operators = new HashMap<>();
    private final Map<Integer, Appended<AnalyzerHeartbeat>> analyzers = new HashMap<>();
    private final Agents agents = new Agents();
    private final PolicyRecords policies = new PolicyRecords();
    private final BrokerClock clock = new BrokerClock();
    private boolean read;
    private boolean live;
    private long newest;
    private long swept;

    /** @param maxLease the longest lease of a lock, in milliseconds */
    public FleetState(TopicNames topics, long maxLease) {
        this(topics, maxLease, System::nanoTime);
    }

    FleetState(TopicNames topics, long maxLease, LongSupplier nanoTime) {
        this.topics = topics;
        this.maxLease = maxLease;
        this.nanoTime = nanoTime;
    }

    /** Returns the topics to follow for all of it. */
    public List<String> followed() {
        return List.of(topics.gateLocks(), topics.operator(), topics.agents(), topics.policies());
    }

    @Override
    public synchronized void record(ConsumerRecord<byte[], byte[]> record) {
        // a producer's clock, as in policies of a topic of an earlier version, may be ahead of the broker's
        if (record.timestampType() == TimestampType.LOG_APPEND_TIME) {
            appended(record.timestamp());
        }
        if (record.topic().equals(topics.agents())) {
            agents.accept(record.key(), record.value(), record.timestamp());
        } else if (record.topic().equals(topics.policies())) {
            policies.accept(record.key(), record.value(), record.timestamp());
        } else if (record.key() != null) {
            decision(new String(record.key(), StandardCharsets.UTF_8), record);
        }
    }

    private void appended(long time) {
        newest = Math.max(newest, time);
        clock.heard(time, nanoTime.getAsLong());
        live |= read;
        // until the topics have been read, the ends of locks that ran out are known
        if (read && newest - swept >= SWEEP_MILLIS) {
            swept = newest;
            sweep();
        }
    }

    private void decision(String key, ConsumerRecord<byte[], byte[]> record) {
        try {
            if (record.topic().equals(topics.gateLocks())) {
                gate(key, record);
            } else if (record.topic().equals(topics.operator())) {
                operator(key, record);
            }
        } catch (MalformedRecord e) {
            // agents skip unreadable records too
        }
    }

    /** Removes locks that ran out and agents that died: no record reports either. */
    private void sweep() {
        locks.values().removeIf(said -> over(said, newest));
        operators.values().removeIf(said -> noLonger(said, newest));
        agents.sweep(newest);
    }

    private boolean over(Appended<GateLock> said, long now) {
        return !LockValidity.holds(leaseEnd(said), now);
    }

    private static boolean noLonger(Appended<OperatorRecord> said, long now) {
        return !LockValidity.holds(LockValidity.operatorEnd(said.record().ttlMillis(), said.append()), now);
    }

    private void gate(String key, ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        Optional<GateRecord> said = validity.admitted(record.partition(), record.key(), record.value());
        if (said.isEmpty()) {
            return;
        }
        if (said.get() instanceof AnalyzerHeartbeat beat) {
            analyzers.put(record.partition(), new Appended<>(beat, record.timestamp()));
        } else if (said.get() instanceof GateLock lock) {
            if (lock.mode() == Mode.OPEN) {
                locks.remove(key);
            } else {
                locks.put(key, new Appended<>(lock, record.timestamp()));
            }
        }
    }

    /** A record that cannot be read, or is of a newer format, leaves what was there in force, as at the agents. */
    private void operator(String key, ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        if (record.value() == null) {
            operators.remove(key);
            switches.accept(CompositeKey.read(record.key()), null, record.timestamp());
            return;
        }
        Optional<OperatorRecord> read = OperatorJson.read(record.key(), record.value());
        if (read.isPresent()) {
            operators.put(key, new Appended<>(read.get(), record.timestamp()));
            switches.accept(CompositeKey.read(record.key()), read.get(), record.timestamp());
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
        analyzers.clear();
        agents.clear();
    }

    /** Returns whether the topics have been read to their ends; until then, answers would be incomplete. */
    public synchronized boolean read() {
        return read;
    }

    /** Returns the newest append time in epoch milliseconds, 0 for none. */
    public synchronized long newest() {
        return newest;
    }

    /**
     * Returns broker time in epoch milliseconds: that of the records, and what has passed since on the monotonic clock. Where none has come since they
     * were read, the newest may be old already, so that a wall clock that shows a later time is believed: what ended meanwhile must not seem to hold.
     *
     * @param wallClock this machine's clock, which may be wrong
     */
    public synchronized long now(long wallClock) {
        long known = clock.now(nanoTime.getAsLong());
        return live ? known : Math.max(known, wallClock);
    }

    /** Returns whether no record shows that the fleet is alive. Then either it is not, or this machine's clock is ahead. */
    public synchronized boolean silent(long wallClock) {
        long known = clock.now(nanoTime.getAsLong());
        return known == BrokerClock.UNKNOWN || (!live && wallClock - known > SILENT_MILLIS);
    }

    /** Returns the policy set in force, {@code null} for none. */
    public @Nullable PolicySet policies() {
        return policies.active();
    }

    /** Returns the records of the policies topic. */
    public PolicyRecords policyRecords() {
        return policies;
    }

    /** Returns whether the policy counts by other attributes by now, so that agents ignore the decision. */
    private boolean isForOtherSubject(String policy, @Nullable List<String> per) {
        PolicySet set = policies.active();
        return set != null && !set.fits(policy, per);
    }

    /** Returns the analyzer's locks that hold at a broker time, newest first. */
    public synchronized List<Appended<GateLock>> locks(long now) {
        List<Appended<GateLock>> held = new ArrayList<>(locks.values());
        held.removeIf(said -> over(said, now)
                || isForOtherSubject(said.record().policy(), said.record().per()));
        held.sort(Comparator.<Appended<GateLock>>comparingLong(
                        said -> said.record().since())
                .reversed()
                .thenComparing(said -> said.record().policy() + said.record().subject()));
        return held;
    }

    /** Returns the operators' records that hold at a broker time, newest first. */
    public synchronized List<Appended<OperatorRecord>> operators(long now) {
        List<Appended<OperatorRecord>> said = new ArrayList<>(operators.values());
        said.removeIf(it -> noLonger(it, now)
                || isForOtherSubject(
                        OperatorJson.key(it.record()).get(0), it.record().per()));
        said.sort(Comparator.<Appended<OperatorRecord>>comparingLong(Appended::append)
                .reversed());
        return said;
    }

    /** Returns the kill switches that are off at a broker time. */
    public List<KillSwitches.Off> switchedOff(long now) {
        return switches.off(now);
    }

    /** Returns whether locks reject anything at a broker time: neither switched off everywhere, nor by the policies. */
    public boolean enforcing(long now) {
        PolicySet set = policies.active();
        return !switches.everywhere(now) && (set == null || set.enforce());
    }

    /** Returns the end of the lease of an analyzer's lock, if the newest record of the subject is no release. */
    public synchronized OptionalLong leaseEnd(String policy, List<String> subject) {
        Appended<GateLock> lock = locks.get(CompositeKey.text(GateKeys.key(policy, subject)));
        return lock == null ? OptionalLong.empty() : OptionalLong.of(leaseEnd(lock));
    }

    /** Returns the end of the lease of a lock, broker time. */
    public long leaseEnd(Appended<GateLock> lock) {
        return LockValidity.leaseEnd(lock.record(), lock.append(), maxLease);
    }

    /** Returns the newest heartbeats of decide tasks, by partition. */
    public synchronized Map<Integer, Appended<AnalyzerHeartbeat>> analyzers() {
        return Map.copyOf(analyzers);
    }

    /** Returns the agents. */
    public Agents agents() {
        return agents;
    }
}
