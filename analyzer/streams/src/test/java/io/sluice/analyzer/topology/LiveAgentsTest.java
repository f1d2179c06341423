package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.analyzer.fleet.Agents;
import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.Freshness;
import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.GateLockJson;
import io.sluice.contract.lock.Version;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LiveAgentsTest {
    private final LiveAgents agents = new LiveAgents();

    @Test
    void agentsAreCountedByServiceWhileTheyAreHeard() {
        agents.heard(beat("a", "orders", Freshness.FRESH), 1_000);
        agents.heard(beat("b", "orders", Freshness.FRESH), 2_000);
        agents.heard(beat("c", "carts", Freshness.FRESH), 2_000);

        assertThat(agents.alive(1_000 + Agents.ALIVE_MILLIS)).isEqualTo(Map.of("orders", 2, "carts", 1));
        assertThat(agents.alive(1_001 + Agents.ALIVE_MILLIS)).isEqualTo(Map.of("orders", 1, "carts", 1));
    }

    @Test
    void whoeverInventsServicesMakesNoHeartbeatThatNobodyCanRead() throws Exception {
        agents.heard(beat("a", "orders", Freshness.FRESH), 1);
        agents.heard(beat("b", "orders", Freshness.FRESH), 1);
        for (int i = 0; i < 2_000; i++) {
            agents.heard(beat("forged-" + i, "\"\u0001é".repeat(60) + i, Freshness.FRESH), 1);
        }

        AnalyzerHeartbeat heartbeat = new AnalyzerHeartbeat(new Version("decide-0", 1, 1), "a", 1, agents.alive(1));

        assertThat(GateLockJson.read(GateLockJson.write(heartbeat))).contains(heartbeat);
        assertThat(heartbeat.liveAgents()).containsEntry("orders", 2).hasSizeGreaterThan(30);
    }

    @Test
    void agentThatChecksNothing_takesNoShareOfAThrottle() {
        agents.heard(checks("busy", 10), 1_000);
        agents.heard(checks("idle", 0), 1_000);
        agents.heard(checks("once", 5), 1_000);
        assertThat(agents.alive(1_000)).as("all are new").isEqualTo(Map.of("orders", 3));

        for (int beat = 1; beat <= 4; beat++) {
            agents.heard(checks("busy", 10 + beat), 1_000 + 5_000 * beat);
            agents.heard(checks("idle", 0), 1_000 + 5_000 * beat);
            agents.heard(checks("once", 5), 1_000 + 5_000 * beat);
        }
        assertThat(agents.alive(21_000)).isEqualTo(Map.of("orders", 1));
        assertThat(agents.alive(Freshness.FRESH)).isEqualTo(3);

        for (int beat = 1; beat <= 4; beat++) {
            for (String agent : List.of("busy", "idle", "once")) {
                agents.heard(checks(agent, 14), 21_000 + 5_000 * beat);
            }
        }
        assertThat(agents.alive(41_001)).as("whoever gets the next request").isEqualTo(Map.of("orders", 3));
    }

    @Test
    void processesWithOneId_eachHaveAShare() {
        for (long beat = 0; beat < 4; beat++) {
            for (long run = 1; run <= 3; run++) {
                agents.heard(checks("copied", 10 * run + beat, run), 5_000 * beat + run);
            }
            agents.heard(checks("alone", beat), 5_000 * beat);
        }
        assertThat(agents.alive(15_003)).isEqualTo(Map.of("orders", 4));
        assertThat(agents.alive(Freshness.FRESH)).as("by id").isEqualTo(2);
    }

    @Test
    void idleProcessesWithOneId_haveNoShare() {
        for (long beat = 0; beat < 5; beat++) {
            agents.heard(checks("copied", 100 + beat, 1), 5_000 * beat);
            agents.heard(checks("copied", 200, 2), 5_000 * beat + 1);
            agents.heard(checks("copied", 300, 3), 5_000 * beat + 2);
        }
        assertThat(agents.alive(20_002)).isEqualTo(Map.of("orders", 1));
    }

    @Tag("full")
    @Test
    void forgedAgents_areBounded_andTheFirstOnesStay() {
        for (int i = 0; i < 4; i++) {
            agents.heard(checks("real-" + i, 1), 1);
        }
        for (int i = 0; i < 2 * Agents.MOST; i++) {
            agents.heard(checks("forged-" + i, 1), 1);
        }
        assertThat(agents.alive(1)).isEqualTo(Map.of("orders", LiveAgents.MOST_OF_SERVICE));
        assertThat(agents.alive(Freshness.FRESH)).isEqualTo(Agents.MOST);
        assertThat(agents.leftOut()).isEqualTo(Agents.MOST + 4);

        // the forger stops: the real ones go on, and others have room again
        for (int i = 0; i < 5; i++) {
            agents.heard(checks("real-" + i, 2), 2 + Agents.ALIVE_MILLIS);
        }
        assertThat(agents.alive(2 + Agents.ALIVE_MILLIS)).isEqualTo(Map.of("orders", 5));
    }

    private static AgentHeartbeat checks(String agent, long checks) {
        return checks(agent, checks, 0);
    }

    private static AgentHeartbeat checks(String agent, long checks, long run) {
        return new AgentHeartbeat(
                agent,
                "orders",
                Freshness.FRESH,
                0,
                checks,
                0,
                0,
                0,
                Map.of(),
                Map.of(),
                true,
                List.of(),
                List.of(),
                run);
    }

    private static AgentHeartbeat beat(String agent, String service, Freshness freshness) {
        return new AgentHeartbeat(agent, service, freshness, 0, 1, 0, 0, 0, Map.of(), Map.of());
    }
}
