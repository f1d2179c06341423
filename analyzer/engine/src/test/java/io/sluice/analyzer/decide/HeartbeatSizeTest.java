package io.sluice.analyzer.decide;

import static io.sluice.analyzer.decide.Rig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.TestEvents;
import io.sluice.analyzer.TestPolicies;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Version;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HeartbeatSizeTest {

    @Test
    void heartbeat_manyPoliciesAndServices_isSmallAndReportsAllInTurn() {
        StringBuilder policies = new StringBuilder("policies:\n");
        for (int i = 0; i < 300; i++) {
            policies.append("  - { name: policy-").append(1000 + i);
            policies.append(", per: [caller], window: 1m, lock: { when: [{ above: 100 }], mode: block } }\n");
        }
        Rig rig = Rig.with(TestPolicies.yaml(policies.toString()));
        rig.meter.add(TestEvents.admitted("caller", TIME));
        rig.passed(TIME);
        Map<String, Integer> agents = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            agents.put("service-" + i, 5);
        }

        Set<String> active = new HashSet<>();
        Set<String> services = new HashSet<>();
        for (int beat = 0; beat < 20; beat++) {
            AnalyzerHeartbeat heartbeat = rig.task.heartbeat("one", TIME, agents, true, true, 0);
            assertThat(GateLockJson.write(heartbeat)).hasSizeLessThan(3 * 512 + 256);
            assertThat(heartbeat.countsPart()).isTrue();
            assertThat(heartbeat.agentsPart()).isTrue();
            active.addAll(heartbeat.active().keySet());
            services.addAll(heartbeat.liveAgents().keySet());
        }
        assertThat(active).hasSize(300);
        assertThat(services).hasSize(200);
    }

    @Test
    void heartbeat_agentsThatNeedAllServices_haveThem() {
        Map<String, Integer> agents = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            agents.put("service-" + i, 5);
        }

        AnalyzerHeartbeat heartbeat = new Rig().task.heartbeat("one", TIME, agents, false, true, 0);

        assertThat(heartbeat.liveAgents()).isEqualTo(agents);
        assertThat(heartbeat.agentsPart()).isFalse();
    }

    /** Else other tasks would count its locks until they forget the policy. */
    @Test
    void heartbeat_lastLockOfOneOfManyPoliciesEnds_saysSo() {
        Map<String, Integer> active = new HashMap<>();
        for (int i = 0; i < 300; i++) {
            active.put("policy-" + (1000 + i), 1);
        }
        TaskHeartbeats heartbeats = new TaskHeartbeats();
        heartbeats.next(whole(active, Map.of("policy-1000", 3)), true);

        AnalyzerHeartbeat next = heartbeats.next(whole(active, Map.of()), true);

        assertThat(next.enforced()).isEqualTo(Map.of("policy-1000", 0));
        assertThat(next.countsPart()).isTrue();
    }

    private static AnalyzerHeartbeat whole(Map<String, Integer> active, Map<String, Integer> enforced) {
        return new AnalyzerHeartbeat(new Version("decide-0", 1, 1), "one", TIME, Map.of(), active, enforced);
    }
}
