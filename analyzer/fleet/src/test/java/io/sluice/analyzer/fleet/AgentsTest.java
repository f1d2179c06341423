package io.sluice.analyzer.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.agent.AgentHeartbeat;
import io.sluice.contract.agent.AgentHeartbeatJson;
import io.sluice.contract.agent.Freshness;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
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

    /** Some 30 KB of names in each heartbeat, from agents that do not exist. */
    @Tag("full")
    @Test
    void forgedHeartbeats_takeABoundedPartOfTheHeap() {
        Map<String, Long> names = new HashMap<>();
        for (int i = 0; i < AgentHeartbeat.MOST_POLICIES; i++) {
            names.put("p".repeat(60) + i, 1L);
        }
        counts.heard(beat("a", 7, 0), NOW);
        for (int i = 0; i < Agents.MOST + 100; i++) {
            // maps of their own, as those that are read
            counts.heard(
                    new AgentHeartbeat(
                            "forged-" + i, "orders", Freshness.FRESH, 0, 0, 0, 0, 0, new HashMap<>(names), Map.of()),
                    NOW);
        }

        assertThat(counts.alive()).isEqualTo(Agents.MOST);
        assertThat(counts.leftOut()).isEqualTo(101);
        long kept = counts.all().stream()
                .filter(heard -> !heard.record().rejectedByPolicy().isEmpty())
                .count();
        assertThat(kept).isBetween(100L, Agents.MOST_BYTES / (256L * 220));
        assertThat(counts.rejected()).containsEntry("p", 7L);

        // once they are silent, there is room for others and their counts
        counts.heard(beat("b", 1, 0), NOW + 1 + Agents.ALIVE_MILLIS);
        counts.heard(beat("c", 1, 0), NOW + 1 + Agents.ALIVE_MILLIS);
        assertThat(counts.rejected()).isEqualTo(Map.of("p", 2L));
    }

    @Test
    void heartbeatUnderAnotherAgentsKey_isRefused() {
        byte[] value = AgentHeartbeatJson.write(beat("a", 1, 0));

        counts.accept("b".getBytes(StandardCharsets.UTF_8), value, NOW);

        assertThat(counts.alive()).isZero();
        assertThat(counts.unreadable()).isEqualTo(1);
        counts.accept("a".getBytes(StandardCharsets.UTF_8), value, NOW);
        assertThat(counts.alive()).isEqualTo(1);
    }

    @Test
    void aSumThatIsTooLargeStaysTheLargestThereIs() {
        counts.heard(beat("a", Long.MAX_VALUE, 0), NOW);
        counts.heard(beat("b", 1, 0), NOW);

        assertThat(counts.rejected()).isEqualTo(Map.of("p", Long.MAX_VALUE));
    }
}
