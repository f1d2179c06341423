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

    private int processes() {
        return agents.all().stream()
                .mapToInt(heard -> agents.processes(heard, agents.newest()))
                .sum();
    }

    private void inTurn() {
        for (int i = 0; i < 4; i++) {
            for (long run = 1; run <= 3; run++) {
                agents.heard(beat(run), NOW + i * BEAT + run);
            }
        }
    }

    @Test
    void oneProcess_isOne() {
        for (int i = 0; i < 5; i++) {
            agents.heard(beat(7), NOW + i * BEAT);
        }
        assertThat(processes()).isEqualTo(1);
    }

    @Test
    void processInPlaceOfAnother_isOne_fromItsFirstHeartbeat() {
        agents.heard(beat(7), NOW);
        agents.heard(beat(7), NOW + BEAT);
        agents.heard(beat(8), NOW + BEAT + 1);
        assertThat(processes()).isEqualTo(1);
        agents.heard(beat(8), NOW + 2 * BEAT);
        assertThat(processes()).isEqualTo(1);
    }

    @Test
    void processesInTurn_areCounted_untilOnlyOneIsHeard() {
        inTurn();
        assertThat(processes()).isEqualTo(3);
        for (int i = 4; i < 9; i++) {
            agents.heard(beat(2), NOW + i * BEAT);
        }
        assertThat(processes()).isEqualTo(1);
    }

    @Test
    void furtherProcess_addsToThoseInTurn_atOnce() {
        inTurn();
        agents.heard(beat(4), NOW + 4 * BEAT);
        assertThat(processes()).isEqualTo(4);
    }

    @Test
    void appendTimesThatGoBack_changeNothing() {
        inTurn();
        for (long run = 1; run <= 3; run++) {
            agents.heard(beat(run), NOW + BEAT + run);
            assertThat(processes()).isEqualTo(3);
        }
    }

    @Test
    void silentProcesses_areNoneInTurn() {
        inTurn();
        assertThat(agents.processes(agents.all().get(0), NOW + 10 * BEAT)).isEqualTo(1);
    }

    @Test
    void processesBeyondTheBound_areLeftOut() {
        for (int i = 0; i < 4; i++) {
            for (long run = 1; run <= 3 * AgentProcesses.MOST; run++) {
                agents.heard(beat(run), NOW + i * BEAT + run);
            }
        }
        assertThat(processes()).isEqualTo(AgentProcesses.MOST);
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
        assertThat(processes()).isEqualTo(2);
        agents.accept(AgentHeartbeatJson.key("a"), null, NOW + 5 * BEAT);
        agents.heard(beat(2), NOW + 6 * BEAT);
        assertThat(processes()).isEqualTo(1);
    }
}
