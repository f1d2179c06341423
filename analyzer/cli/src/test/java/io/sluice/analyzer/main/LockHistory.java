package io.sluice.analyzer.main;

import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.lock.Mode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What the gate-locks topic tells: which locks opened and how long they were live, and when each decide task could decide. */
final class LockHistory {
    private final Map<String, Map<Long, Lock>> locks = new LinkedHashMap<>();
    private final Map<Integer, Map<Long, Life>> lives = new HashMap<>();

    /** A caller's lock, from its opening to its end. */
    static final class Lock {
        final String caller;
        final long since;
        final Evidence evidence;
        final boolean guarded;
        private boolean armed;
        private boolean disarmed;
        private long end;

        Lock(GateLock opened, Evidence evidence) {
            caller = opened.subject().get(0);
            since = opened.since();
            guarded = opened.guarded();
            this.evidence = evidence;
        }
    }

    /** Append times of the heartbeats of one life of a decide task. */
    private static final class Life {
        final List<Long> heartbeats = new ArrayList<>();
    }

    LockHistory(List<ConsumerRecord<byte[], byte[]>> records) {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.value() != null) {
                try {
                    GateLockJson.read(record.value()).ifPresent(read -> accept(read, record));
                } catch (MalformedRecord e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private void accept(GateRecord read, ConsumerRecord<byte[], byte[]> record) {
        if (read instanceof AnalyzerHeartbeat heartbeat) {
            lives.computeIfAbsent(record.partition(), any -> new HashMap<>())
                    .computeIfAbsent(heartbeat.version().epoch(), any -> new Life())
                    .heartbeats
                    .add(record.timestamp());
        } else if (read instanceof GateLock lock) {
            accept(lock, record.timestamp());
        }
    }

    private void accept(GateLock record, long append) {
        Map<Long, Lock> its = locks.computeIfAbsent(record.subject().get(0), any -> new LinkedHashMap<>());
        if (record.mode() == Mode.OPEN) {
            its.values().forEach(lock -> lock.end = Math.min(lock.end, append));
        } else {
            Evidence evidence = record.evidence();
            if (evidence == null) {
                throw new IllegalStateException("a lock without evidence: " + record);
            }
            Lock lock = its.computeIfAbsent(record.since(), any -> new Lock(record, evidence));
            lock.end = record.until();
            lock.disarmed |= lock.armed && !record.enforced();
            lock.armed |= record.enforced();
        }
    }

    /** The beginning of the newest life of any decide task. */
    long newestEpoch() {
        return lives.values().stream()
                .flatMap(its -> its.keySet().stream())
                .max(Comparator.naturalOrder())
                .orElse(0L);
    }

    List<Lock> openings() {
        return locks.values().stream().flatMap(its -> its.values().stream()).toList();
    }

    /** Locks that closed a gate at first and then only reported. */
    List<String> disarmed() {
        return openings().stream()
                .filter(lock -> lock.disarmed)
                .map(lock -> lock.caller)
                .toList();
    }

    /** The newest lock of a caller, once it is enforced: the guard may let it only report at first. */
    Optional<Lock> enforced(String caller) {
        return locks.getOrDefault(caller, Map.of()).values().stream()
                .reduce((older, newer) -> newer)
                .filter(lock -> lock.armed && !lock.disarmed);
    }

    /** Whether a caller's gate was closed at any time between two. */
    boolean closed(String caller, long from, long to) {
        return locks.getOrDefault(caller, Map.of()).values().stream()
                .anyMatch(lock -> lock.since <= to && lock.end >= from);
    }

    /**
     * Whether the decide task of a partition was one and the same between two times, and knew what time it is: that is so
     * when its second heartbeat is out, for it has heard the first by then.
     */
    boolean able(int partition, long from, long to) {
        return lives.getOrDefault(partition, Map.of()).values().stream()
                .map(life -> life.heartbeats)
                .anyMatch(beats -> beats.size() > 1 && beats.get(1) <= from && beats.get(beats.size() - 1) >= to);
    }

    /** Whether every decide task was able lately, in a life that goes on after this time. */
    boolean allAbleSince(long time, int partitions) {
        return lives.size() == partitions
                && lives.values().stream()
                        .allMatch(its -> its.values().stream()
                                .anyMatch(life -> life.heartbeats.stream()
                                                .filter(beat -> beat > time)
                                                .count()
                                        > 1));
    }
}
