package io.sluice.faults;

import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.key.CompositeKey;
import io.sluice.contract.lock.GateKeys;
import io.sluice.contract.lock.GateLock;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.lock.Version;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Good records, as agents, operators and analyzers write them. */
final class Sound {
    private static final long LEASE = 600_000;

    private Sound() {}

    private static GateLock gateLock(String caller, String task, int seq) {
        long now = System.currentTimeMillis();
        Version version = new Version(task, 1, seq);
        return new GateLock(
                "busy", List.of(caller), Mode.BLOCK, 0, 0, LEASE, now, now + LEASE, 1, false, false, null, version);
    }

    /** A lock, as a task writes it. */
    static Sandwiches.Slice lock(String caller, String task, int seq) {
        return slice(gateLock(caller, task, seq));
    }

    private static Sandwiches.Slice slice(GateLock lock) {
        return new Sandwiches.Slice(CompositeKey.bytes(GateKeys.of(lock)), GateLockJson.write(lock));
    }

    /** An operator's lock. */
    static Sandwiches.Slice operatorLock(String caller) {
        return slice(new OperatorRecord.Lock("busy", List.of(caller), Mode.BLOCK, 0, LEASE, "ada", "gone wild", 1));
    }

    /** An operator's release. */
    static Sandwiches.Slice operatorRelease(String caller) {
        return slice(new OperatorRecord.Release("busy", List.of(caller), LEASE, "ada", "they called", 1));
    }

    private static Sandwiches.Slice slice(OperatorRecord record) {
        return new Sandwiches.Slice(CompositeKey.bytes(OperatorJson.key(record)), OperatorJson.write(record));
    }

    /** An agent's sign of life. */
    static Sandwiches.Slice agent(String id, String service) {
        AgentHeartbeat sign =
                new AgentHeartbeat(id, service, Freshness.FRESH, 2, 100, 7, 1, 1, Map.of("busy", 6L), Map.of());
        return new Sandwiches.Slice(AgentHeartbeatJson.key(id), AgentHeartbeatJson.write(sign));
    }

    /** A request of now, with all its fields. */
    static byte[] request(String caller) {
        return ("{\"time\":" + System.currentTimeMillis() + ",\"caller\":\"" + caller
                        + "\",\"service\":\"orders\",\"route\":\"/orders/{id}\",\"method\":\"GET\",\"ip\":\"203.0.113.9\","
                        + "\"status\":200,\"bytes\":512,\"millis\":12.5,\"agent\":\"x\",\"outcome\":\"allowed\",\"count\":1,"
                        + "\"identity\":\"authenticated\",\"labels\":{\"plan\":\"gold\"},\"type\":\"request\",\"format\":1}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
