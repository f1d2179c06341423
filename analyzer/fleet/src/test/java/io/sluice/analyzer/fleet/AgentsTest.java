package io.sluice.analyzer.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.Freshness;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentsTest {
    private static final long NOW = 1_763_700_000_000L;

    private final Agents counts = new Agents();

    private static AgentHeartbeat beat(String agent, long rejected, long wouldReject) {
        return new AgentHeartbeat(
                agent, "orders", Freshness.FRESH, 0, 0, 0, 0, 0, Map.of("p", rejected), Map.of("q", wouldReject));
    }

    @Test
    void theNewestHeartbeatOfEachAgentCounts() {
        counts.heard(beat("a", 1, 10), NOW);
        counts.heard(beat("b", 5, 50), NOW);
        counts.heard(beat("a", 2, 20), NOW + 5_000);

        assertThat(counts.alive()).isEqualTo(2);
        assertThat(counts.rejected()).isEqualTo(Map.of("p", 7L));
        assertThat(counts.wouldReject()).isEqualTo(Map.of("q", 70L));
    }

    @ParameterizedTest
    @CsvSource({"14999, 2", "15000, 2", "15001, 1"})
    void anAgentIsAliveForFifteenSecondsOfBrokerTime(long silent, int alive) {
        counts.heard(beat("a", 1, 0), NOW);
        counts.heard(beat("b", 1, 0), NOW + silent);

        assertThat(counts.alive()).isEqualTo(alive);
        assertThat(counts.rejected()).isEqualTo(Map.of("p", (long) alive));
    }

    @Test
    void anAgentThatSaidGoodbyeIsNotCounted() {
        counts.heard(beat("a", 1, 0), NOW);
        counts.heard(beat("b", 2, 0), NOW);

        counts.accept("b".getBytes(StandardCharsets.UTF_8), null, NOW);

        assertThat(counts.rejected()).isEqualTo(Map.of("p", 1L));
    }

    @Test
    void aSumThatIsTooLargeStaysTheLargestThereIs() {
        counts.heard(beat("a", Long.MAX_VALUE, 0), NOW);
        counts.heard(beat("b", 1, 0), NOW);

        assertThat(counts.rejected()).isEqualTo(Map.of("p", Long.MAX_VALUE));
    }
}
