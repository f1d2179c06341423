package io.sluice.contract.lock;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.operator.OperatorRecord;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides which records of the gate-locks topic are obeyed, and until when a decision holds. Agents, HTTP API, command line
 * and webhooks all ask this class, so they give the same answer.
 *
 * <ul>
 *   <li><b>Key and partition.</b> A record under a key that is not its own is malformed, and so is a heartbeat on a partition
 *       that is not its task's: {@link #read}.
 *   <li><b>Epoch fence.</b> After a record of a task's higher epoch, records of its lower epochs are refused: {@link
 *       #admits}. Records have to be presented in the order of their partition.
 *   <li><b>Lease end.</b> A lock holds for its {@code ttlMillis}, at most the longest lease, from the moment the broker
 *       appended it. {@code until} does not count: when nothing renews the lease, the lock is over before that.
 *   <li><b>Subject.</b> A decision about the values of other attributes than its policy counts by now concerns another
 *       subject: {@link #fits}.
 * </ul>
 *
 * Times are broker time in epoch milliseconds; this class has no clock. Not thread-safe; the static methods are.
 */
public final class LockValidity {
    private final Map<String, Long> highestEpochs = new TreeMap<>();

    /**
     * Reads a record of the gate-locks topic.
     *
     * @param partition the one it lies in
     * @param value not a tombstone: those tidy the topic up, and mean nothing
     * @return empty for a record of a higher format: to be counted and ignored
     * @throws MalformedRecord when it can't be read, its key is missing or not the one its value belongs under, or it is the heartbeat of
     *     another partition's task
     */
    public static Optional<GateRecord> read(int partition, byte @Nullable [] key, byte[] value) throws MalformedRecord {
        Optional<GateRecord> record = GateLockJson.read(value);
        if (record.isPresent() && !Arrays.equals(CompositeKey.bytes(GateKeys.of(record.get())), key)) {
            throw new MalformedRecord("gate record: its key names another subject or task than its value");
        }
        if (record.orElse(null) instanceof AnalyzerHeartbeat heartbeat
                && !heartbeat.version().task().equals(AnalyzerHeartbeat.TASK + partition)) {
            throw new MalformedRecord("gate record: a heartbeat of another partition's task");
        }
        return record;
    }

    /**
     * Reads a record of the gate-locks topic, in the order of its partition.
     *
     * @param partition the one it lies in
     * @return empty for a tombstone, a record of a higher format, and one that the fence refuses
     * @throws MalformedRecord as {@link #read}
     */
    public Optional<GateRecord> admitted(int partition, byte @Nullable [] key, byte @Nullable [] value)
            throws MalformedRecord {
        return value == null
                ? Optional.empty()
                : read(partition, key, value).filter(record -> admits(record.version()));
    }

    /** Returns whether the epoch fence lets a record pass; false for one of a task's earlier incarnation behind a later one's. */
    public boolean admits(Version version) {
        return highestEpochs.merge(version.task(), version.epoch(), Math::max) == version.epoch();
    }

    /** The topic is read from its beginning again, where records of earlier incarnations stand rightly. */
    public void reset() {
        highestEpochs.clear();
    }

    /** The highest epoch of each task so far; a copy. */
    public Map<String, Long> epochs() {
        return new TreeMap<>(highestEpochs);
    }

    /** Takes over what another reader of the same partitions has seen. */
    public void epochs(Map<String, Long> seen) {
        seen.forEach((task, epoch) -> highestEpochs.merge(task, epoch, Math::max));
    }

    /**
     * When the lease of a lock or a release ends.
     *
     * @param append when the broker appended the record
     * @param maxLeaseMillis the longest lease
     */
    public static long leaseEnd(GateLock lock, long append, long maxLeaseMillis) {
        return append + ttl(lock, maxLeaseMillis);
    }

    /**
     * How long a lock or a release holds from its append on, in milliseconds.
     *
     * @param maxLeaseMillis the longest lease
     */
    public static long ttl(GateLock lock, long maxLeaseMillis) {
        // a release outlives every lock that it may have to outrank
        return lock.mode() == Mode.OPEN ? maxLeaseMillis : Math.min(lock.ttlMillis(), maxLeaseMillis);
    }

    /**
     * When an operator's record ends: at the latest after {@link OperatorRecord#LONGEST_MILLIS}, since its topic keeps no record for much longer.
     *
     * @param ttlMillis as in the record; 0 for the longest time
     * @param append when the broker appended the record
     */
    public static long operatorEnd(long ttlMillis, long append) {
        return append
                + (ttlMillis == 0 ? OperatorRecord.LONGEST_MILLIS : Math.min(ttlMillis, OperatorRecord.LONGEST_MILLIS));
    }

    /**
     * Returns whether a decision concerns a subject of its policy as the policy counts now.
     *
     * @param per the attributes that the decision's subject names; {@code null} in records of earlier versions, which
     *     mean whatever the policy counts by
     * @param policyPer the attributes that the policy counts by
     */
    public static boolean fits(@Nullable List<String> per, List<String> policyPer) {
        return per == null || per.equals(policyPer);
    }

    /** Returns whether a decision that ends at {@code end} still holds. */
    public static boolean holds(long end, long brokerTime) {
        return brokerTime < end;
    }
}
