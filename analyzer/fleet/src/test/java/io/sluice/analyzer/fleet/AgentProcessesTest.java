package io.sluice.analyzer.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgentProcessesTest {
    private static final long NOW = 1_763_700_000_000L;
    private static final long BEAT = 5_000;

    private final Agents agents = new Agents();

    private static AgentHeartbeat beat(long run) {
        return new AgentHeartbeat(
                "a", "orders", Freshness.FRESH, 0, 0, 0, 0, 0, Map.of(), Map.of(), true, List.of(), List.of(), run);
    }

    @Test
    void oneProcess_isOne() {
        assertThat(agents.processes("a")).as("never heard").isEqualTo(1);
        for (int i = 0; i < 5; i++) {
            agents.heard(beat(7), NOW + i * BEAT);
        }
        assertThat(agents.processes("a")).isEqualTo(1);
    }

    @Test
    void processInPlaceOfAnother_isOne_fromItsFirstHeartbeat() {
        agents.heard(beat(7), NOW);
        agents.heard(beat(7), NOW + BEAT);
        agents.heard(beat(8), NOW + BEAT + 1);
        assertThat(agents.processes("a")).isEqualTo(1);
        agents.heard(beat(8), NOW + 2 * BEAT);
        assertThat(agents.processes("a")).isEqualTo(1);
    }

    @Test
    void processesInTurn_areCounted_untilOnlyOneIsHeard() {
        for (int i = 0; i < 4; i++) {
            for (long run = 1; run <= 3; run++) {
                agents.heard(beat(run), NOW + i * BEAT + run);
            }
        }
        assertThat(agents.processes("a")).isEqualTo(3);
        for (int i = 4; i < 9; i++) {
            agents.heard(beat(2), NOW + i * BEAT);
        }
        assertThat(agents.processes("a")).isEqualTo(1);
    }

    @Test
    void processesBeyondTheBound_areLeftOut() {
        for (int i = 0; i < 4; i++) {
            for (long run = 1; run <= 3 * AgentProcesses.MOST; run++) {
                agents.heard(beat(run), NOW + i * BEAT + run);
            }
        }
        assertThat(agents.processes("a")).isEqualTo(AgentProcesses.MOST);
        AgentProcesses processes = AgentProcesses.NONE;
        for (long run = 1; run <= 100; run++) {
            processes = processes.heard(beat(run), NOW);
        }
        assertThat(processes.runs()).hasSize(AgentProcesses.MOST);
    }

    @Test
    void agentThatShutDown_isForgotten() {
        for (int i = 0; i < 4; i++) {
            agents.heard(beat(i % 2 + 1), NOW + i * BEAT);
        }
        assertThat(agents.processes("a")).isEqualTo(2);
        agents.accept(AgentHeartbeatJson.key("a"), null, NOW + 5 * BEAT);
        assertThat(agents.processes("a")).isEqualTo(1);
    }
}
