package io.sluice.analyzer.cli;

import io.sluice.analyzer.api.Target;
import io.sluice.analyzer.fleet.Appended;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.LockValidity;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.settings.InvalidSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The newest records of analyzer and operators of one subject that the topics still hold. Thread-safe. Unreadable records are
 * skipped, as agents skip them.
 */
final class GateHistory {
    private final String operatorTopic;
    private final String gateTopic;
    private final long maxLease;
    private final LockValidity validity = new LockValidity();
    private final byte[] key;
    private final List<String> per;
    private @Nullable Appended<GateLock> lock;
    private @Nullable Appended<GateLock> release;
    private @Nullable Appended<OperatorRecord> operator;

    GateHistory(Connection connection, Target target) throws InvalidSettings {
        operatorTopic = connection.topics().operator();
        gateTopic = connection.topics().gateLocks();
        maxLease = connection.maxLease();
        key = CompositeKey.bytes(GateKeys.key(target.policy().name(), target.subject()));
        per = target.policy().perNames();
    }

    synchronized void accept(ConsumerRecord<byte[], byte[]> record) {
        boolean own = Arrays.equals(record.key(), key);
        try {
            if (record.topic().equals(operatorTopic) && own) {
                operator(record);
            } else if (record.topic().equals(gateTopic)
                    // the records of other subjects show the epochs
                    && validity.admitted(record.partition(), record.key(), record.value())
                                    .orElse(null)
                            instanceof GateLock said
                    && own) {
                gate(new Appended<>(said, record.timestamp()));
            }
        } catch (MalformedRecord e) {
            // an agent ignores it too, so it locks no caller
            return;
        }
    }

    private void operator(ConsumerRecord<byte[], byte[]> record) throws MalformedRecord {
        Optional<OperatorRecord> read =
                record.value() == null ? Optional.empty() : OperatorJson.read(record.key(), record.value());
        if (record.value() != null && read.isEmpty()) {
            // a newer format leaves what was there in force
            return;
        }
        operator = read.map(said -> new Appended<>(said, record.timestamp())).orElse(null);
    }

    private void gate(Appended<GateLock> said) {
        if (said.record().mode() == Mode.OPEN) {
            release = said;
        } else {
            lock = said;
            release = null;
        }
    }

    /** The analyzer's newest lock, be it over or released or not. */
    synchronized Optional<Appended<GateLock>> lock() {
        return Optional.ofNullable(lock);
    }

    /** The release of that lock, or the last one if the lock is no longer on the topic. */
    synchronized Optional<Appended<GateLock>> release() {
        return Optional.ofNullable(release);
    }

    /** The analyzer's lock, if it holds at {@code now}. */
    synchronized Optional<Appended<GateLock>> lockAt(long now) {
        return Optional.ofNullable(lock)
                .filter(said -> release == null
                        && LockValidity.fits(said.record().per(), per)
                        && LockValidity.holds(LockValidity.leaseEnd(said.record(), said.append(), maxLease), now));
    }

    /** The operator's word, if it holds at {@code now}. */
    synchronized Optional<Appended<OperatorRecord>> operatorAt(long now) {
        return Optional.ofNullable(operator)
                .filter(said -> LockValidity.fits(said.record().per(), per)
                        && LockValidity.holds(HeldLock.end(said.record(), said.append()), now));
    }

    /** Returns whether the subject is locked, by the analyzer or an operator. */
    boolean locked(long now) {
        return lockAt(now).isPresent() || operatorAt(now).isPresent();
    }
}
