package io.sluice.faults;

import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.key.Partitions;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.GateRecord;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.topic.TopicNames;
import io.sluice.faults.net.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes locks, releases, heartbeats and tombstones as decide tasks do, only faster, and knows the locked callers. A tombstone never
 * comes before every lease under its key is over, released or not: a reader that is slow may miss the release. Times are
 * the writer's, which the broker's append times follow within {@link #SLACK_MILLIS}. One thread.
 */
final class LockWriter {
    /** How far a lease's end may lie from where the writer thinks it is. */
    static final long SLACK_MILLIS = 1_000;

    static final String POLICY = "busy";

    private static final long LONG_LEASE = 120_000;

    private final Records to;
    private final TopicNames topics;
    private final int partitions;
    private final Random random;
    private final List<String> callers = new ArrayList<>();
    private final long[] lockedUntil;
    private final long[] leaseEnd;
    private final long epoch = System.currentTimeMillis();
    private long seq;
    private long written;
    private long tombstones;
    private long lastHeartbeat;

    LockWriter(Records to, TopicNames topics, int partitions, int callers, long seed) {
        this.to = to;
        this.topics = topics;
        this.partitions = partitions;
        this.random = new Random(seed);
        for (int i = 0; i < callers; i++) {
            this.callers.add("c-" + i);
        }
        lockedUntil = new long[callers];
        leaseEnd = new long[callers];
    }

    List<String> callers() {
        return List.copyOf(callers);
    }

    /** All records so far. */
    long written() {
        return written;
    }

    long tombstones() {
        return tombstones;
    }

    /** Changes the lock of one caller, and lives on. */
    void change() {
        heartbeat();
        int caller = random.nextInt(callers.size());
        boolean leased = leaseEnd[caller] > System.currentTimeMillis() - SLACK_MILLIS;
        switch (random.nextInt(3)) {
            case 0 -> lock(caller, caller % 2 == 0 ? LONG_LEASE : 300 + random.nextInt(1_500));
            case 1 -> release(caller);
            default -> {
                if (leased) {
                    release(caller);
                } else {
                    tombstones++;
                    send(callers.get(caller), null);
                }
            }
        }
    }

    /** Locks one that {@link #change} does not touch. */
    void lock(String caller, long ttl) {
        send(caller, lock(caller, Mode.BLOCK, ttl));
    }

    /** Deletes what stands about one that {@link #change} does not touch. */
    void tombstone(String caller) {
        send(caller, null);
    }

    private void lock(int caller, long ttl) {
        lock(callers.get(caller), ttl);
        lockedUntil[caller] = System.currentTimeMillis() + ttl;
        leaseEnd[caller] = Math.max(leaseEnd[caller], lockedUntil[caller]);
    }

    private void release(int caller) {
        send(callers.get(caller), lock(callers.get(caller), Mode.OPEN, 0));
        lockedUntil[caller] = 0;
    }

    private GateLock lock(String caller, Mode mode, long ttl) {
        long now = System.currentTimeMillis();
        Version version = new Version(task(partition(caller)), epoch, seq++);
        return new GateLock(POLICY, List.of(caller), mode, 0, 0, ttl, now, now + ttl, 1, false, false, null, version);
    }

    /** A sign of life of all tasks, once a second. */
    void heartbeat() {
        if (System.currentTimeMillis() - lastHeartbeat >= 1_000) {
            lastHeartbeat = System.currentTimeMillis();
            for (int partition = 0; partition < partitions; partition++) {
                Version version = new Version(task(partition), epoch, seq++);
                GateRecord heartbeat = new AnalyzerHeartbeat(version, "writer", lastHeartbeat, Map.of());
                send(partition, GateKeys.of(heartbeat), heartbeat);
            }
        }
    }

    private static String task(int partition) {
        return "decide-" + partition;
    }

    private int partition(String caller) {
        return Partitions.of(CompositeKey.bytes(GateKeys.key(POLICY, List.of(caller))), partitions);
    }

    private void send(String caller, @Nullable GateRecord record) {
        send(partition(caller), GateKeys.key(POLICY, List.of(caller)), record);
    }

    private void send(int partition, List<String> key, @Nullable GateRecord record) {
        written++;
        to.send(
                topics.gateLocks(),
                partition,
                CompositeKey.bytes(key),
                record == null ? null : GateLockJson.write(record));
    }

    /**
     * The locks in force now, by caller.
     *
     * @return without those whose lease ends just now
     */
    Map<String, Boolean> table() {
        long now = System.currentTimeMillis();
        Map<String, Boolean> table = new TreeMap<>();
        for (int caller = 0; caller < lockedUntil.length; caller++) {
            if (Math.abs(lockedUntil[caller] - now) > SLACK_MILLIS) {
                table.put(callers.get(caller), lockedUntil[caller] > now);
            }
        }
        return table;
    }
}
