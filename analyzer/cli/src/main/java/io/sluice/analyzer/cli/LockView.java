package io.sluice.analyzer.cli;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.GateKeys;
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
import io.sluice.contract.topic.TopicNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Present locks, put together from the gate-locks, operator and policies topics. Thread-safe. What can't be read is passed
 * over, as agents do.
 */
final class LockView implements Followed.View {
    private final TopicNames topics;
    private final long maxLease;
    private final LockValidity validity = new LockValidity();
    private final Map<String, HeldLock> locks = new HashMap<>();
    private final KillSwitches switches = new KillSwitches();
    private @Nullable PolicySet policies;
    private long heartbeat;
    private long newest;

    /** The topics that it is to be given. */
    static List<String> topics(TopicNames topics) {
        return List.of(topics.gateLocks(), topics.operator(), topics.policies());
    }

    /** @param maxLease the longest lease of a lock, in milliseconds */
    LockView(TopicNames topics, long maxLease) {
        this.topics = topics;
        this.maxLease = maxLease;
    }

    @Override
    public synchronized void accept(ConsumerRecord<byte[], byte[]> record) {
        newest = Math.max(newest, record.timestamp());
        if (record.key() == null) {
            return;
        }
        String key = record.topic() + new String(record.key(), StandardCharsets.UTF_8);
        try {
            if (record.topic().equals(topics.operator())) {
                operator(key, record);
            } else if (record.topic().equals(topics.policies())) {
                policies(record);
            } else {
                gate(key, record);
            }
        } catch (MalformedRecord | InvalidPolicies e) {
            // an agent ignores it too, so it locks no caller
        }
    }

    private void policies(ConsumerRecord<byte[], byte[]> record) throws MalformedRecord, InvalidPolicies {
        boolean active = new String(record.key(), StandardCharsets.UTF_8).equals(PolicySetJson.ACTIVE);
        if (active && record.value() != null) {
            policies = PolicySetJson.read(record.value());
        }
    }

    private void gate(String key, ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        Optional<GateRecord> read = validity.admitted(record.key(), record.value());
        if (read.isEmpty()) {
            return;
        }
        if (!(read.get() instanceof GateLock lock)) {
            heartbeat = Math.max(heartbeat, record.timestamp());
        } else if (lock.mode() == Mode.OPEN) {
            locks.remove(key);
        } else {
            locks.put(key, HeldLock.of(lock, record.timestamp(), maxLease));
        }
    }

    private void operator(String key, ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        locks.remove(key);
        Optional<OperatorRecord> read =
                record.value() == null ? Optional.empty() : OperatorJson.read(record.key(), record.value());
        switches.accept(CompositeKey.read(record.key()), read.orElse(null), record.timestamp());
        if (read.isEmpty()) {
            return;
        }
        OperatorRecord said = read.get();
        if (said instanceof OperatorRecord.Lock lock) {
            locks.put(key, HeldLock.of(lock, record.timestamp()));
        } else if (said instanceof OperatorRecord.Release release) {
            locks.put(key, HeldLock.of(release, record.timestamp()));
        }
    }

    @Override
    public synchronized void again() {
        validity.reset();
        locks.clear();
        switches.clear();
    }

    /** The newest append time seen: the broker's clock, as far as this view knows it. */
    synchronized long brokerTime() {
        return newest;
    }

    /** Locks and releases that hold at {@code now}, newest first. */
    synchronized List<HeldLock> held(long now) {
        List<HeldLock> held = new ArrayList<>(locks.values());
        held.removeIf(lock -> !lock.holds(now) || isForOtherSubject(lock));
        held.sort(Comparator.comparingLong(HeldLock::since)
                .reversed()
                .thenComparing(lock -> lock.subject().toString()));
        return held;
    }

    /** When the lease of the analyzer's newest record of a subject ends, if there is one that is no release. */
    synchronized OptionalLong leaseEnd(String policy, List<String> subject) {
        HeldLock lock = locks.get(topics.gateLocks() + CompositeKey.text(GateKeys.key(policy, subject)));
        return lock == null ? OptionalLong.empty() : OptionalLong.of(lock.leaseEnd());
    }

    /** Returns whether its policy counts by other attributes by now, so that agents ignore it. */
    private boolean isForOtherSubject(HeldLock lock) {
        return policies != null && !policies.fits(lock.policy(), lock.per());
    }

    /** Returns whether locks reject anything at {@code now}: neither switched off everywhere, nor by the policies. */
    synchronized boolean enforcing(long now) {
        return !switches.everywhere(now) && (policies == null || policies.enforce());
    }

    /** Notes for {@code now}: a kill switch, an analyzer that is silent. */
    synchronized List<String> warnings(long now) {
        List<String> warnings = new ArrayList<>();
        switches.off(now).forEach(off -> warnings.add(EnforcementText.line(off, now)));
        if (policies != null && !policies.enforce()) {
            warnings.add("the policies only report (enforce: false)");
        }
        if (heartbeat == 0) {
            warnings.add("no analyzer has been heard of");
        } else if (now - heartbeat > 5_000) {
            warnings.add("no analyzer has been heard of for " + Spans.text(now - heartbeat));
        }
        return warnings;
    }
}
