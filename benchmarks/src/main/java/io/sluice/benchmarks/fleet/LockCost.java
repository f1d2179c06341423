package io.sluice.benchmarks.fleet;

import io.sluice.agent.internal.gate.DecisionState;
import io.sluice.contract.json.JsonNodes;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.Evidence;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.policy.InvalidPolicies;
import io.sluice.contract.policy.PolicySet;
import io.sluice.contract.policy.PolicySetReader;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/**
 * Cost of many locks for an agent of one service. Each lock is of a policy that is fixed to one of the services by its {@code match}.
 *
 * @param held locks that the agent holds
 * @param heapBytes heap that they take, after a collection
 * @param applyNanos time to decode and apply one lock record, the average
 * @param recordBytes bytes of a lock record in a batch of its own
 */
record LockCost(int held, long heapBytes, double applyNanos, double recordBytes) {
    /** A lock is written again when a third of its lease has passed. */
    private static final int RENEWALS_PER_LEASE = 3;

    private static final long LEASE_MILLIS = 600_000;
    private static final int COLLECTIONS = 3;

    /**
     * Applies locks to the state of a real agent.
     *
     * @param ownServiceOnly whether the agent checks requests of its own service only
     */
    static LockCost of(int locks, int services, boolean ownServiceOnly) throws MalformedRecord, InvalidPolicies {
        long now = System.currentTimeMillis();
        var state = new DecisionState(new DecisionState.Settings(
                "agent-1", "service-1", true, LEASE_MILLIS, LEASE_MILLIS, 2 * locks, ownServiceOnly));
        state.policies(policies(services));
        state.caughtUp();
        state.anchored(now, 0);
        state.gateRecord(0, new AnalyzerHeartbeat(version(0), "analyzer-1", now, Map.of("service-1", 1)), now, 0);
        state.refresh(0, now);
        try {
            long before = used();
            long nanos = 0;
            for (int number = 1; number <= locks; number++) {
                byte[] value = GateLockJson.write(lock(number, services, now));
                long began = System.nanoTime();
                state.gateRecord(0, GateLockJson.read(value).orElseThrow(), now, 0);
                nanos += System.nanoTime() - began;
            }
            long heap = used() - before;
            int held = state.locks(0);
            return new LockCost(held, heap, nanos / (double) locks, recordBytes(lock(locks, services, now)));
        } finally {
            Reference.reachabilityFence(state);
        }
    }

    /** Returns how many lock records are written, and read by each agent, per second. */
    static double recordsPerSecond(int locks) {
        return locks * RENEWALS_PER_LEASE * 1_000.0 / LEASE_MILLIS;
    }

    private static double recordBytes(GateLock lock) {
        var record = new SimpleRecord(CompositeKey.bytes(GateKeys.of(lock)), GateLockJson.write(lock));
        return MemoryRecords.withRecords(Compression.lz4().build(), record).sizeInBytes();
    }

    private static PolicySet policies(int services) throws MalformedRecord, InvalidPolicies {
        String all = IntStream.range(0, services)
                .mapToObj(service ->
                        ("{\"name\":\"noisy-%d\",\"per\":[\"caller\"],\"match\":{\"service\":\"service-%d\"},"
                                        + "\"lock\":{\"when\":[{\"above\":30000}]}}")
                                .formatted(service, service))
                .collect(Collectors.joining(","));
        return PolicySetReader.read(
                JsonNodes.read(("{\"policies\":[" + all + "]}").getBytes(StandardCharsets.UTF_8), "policies"));
    }

    private static GateLock lock(int number, int services, long now) {
        String policy = "noisy-" + number % services;
        var evidence = new Evidence(
                "above", 30_017, 30_000, "requests", 60_000, 30_017, 0, now, now, policy + "@0123456789abcdef");
        return new GateLock(
                policy,
                List.of("caller-" + number),
                List.of("caller"),
                Mode.BLOCK,
                0,
                0,
                LEASE_MILLIS,
                now,
                now + LEASE_MILLIS,
                1,
                false,
                false,
                evidence,
                version(number));
    }

    private static Version version(int sequence) {
        return new Version("decide-0", 1, sequence);
    }

    private static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
