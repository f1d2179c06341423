package io.sluice.benchmarks.fleet;

import io.sluice.agent.internal.gate.DecisionState;
import io.sluice.contract.json.MalformedRecord;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateLockJson;
import java.util.Collection;
import java.util.List;

/** CPU time that the heartbeats of decide tasks take an agent, after its Kafka client has received them. */
final class HeartbeatCost {
    private static final int WARM_UP = 200;
    private static final int ROUNDS = 300;
    private static final long LEASE_MILLIS = 600_000;

    private HeartbeatCost() {}

    /** Returns the nanoseconds in which the state of a real agent decodes and applies one heartbeat, the average. */
    static double nanos(Collection<AnalyzerHeartbeat> heartbeats) throws MalformedRecord {
        List<byte[]> values = heartbeats.stream().map(GateLockJson::write).toList();
        var state = new DecisionState(
                new DecisionState.Settings("agent-1", "service-1", true, LEASE_MILLIS, LEASE_MILLIS, 1_000, true));
        long began = 0;
        for (int round = 0; round < WARM_UP + ROUNDS; round++) {
            if (round == WARM_UP) {
                began = System.nanoTime();
            }
            long now = System.currentTimeMillis();
            for (int partition = 0; partition < values.size(); partition++) {
                state.gateRecord(
                        partition, GateLockJson.read(values.get(partition)).orElseThrow(), now, 0);
            }
        }
        return (System.nanoTime() - began) / (double) ROUNDS / values.size();
    }
}
