package io.sluice.contract.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.json.BoundedJson;
import io.sluice.contract.json.MalformedRecord;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnalyzerHeartbeatTest {
    private static final Version VERSION = new Version("decide-0", 1_763_690_000_000L, Long.MAX_VALUE);

    /** Names as long as the grammar allows, each with the number in its name. */
    private static Map<String, Integer> policies(int from, int to) {
        Map<String, Integer> counts = new HashMap<>();
        for (int i = from; i < to; i++) {
            counts.put("p".repeat(58) + String.format("%06d", i), i);
        }
        return counts;
    }

    private static Map<String, Integer> services(int many) {
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < many; i++) {
            counts.put("\u0001".repeat(120) + i, 1);
        }
        return counts;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 256, 600, 10_000})
    void anyNumberOfPolicies_isReadBackAsItIs(int many) throws MalformedRecord {
        AnalyzerHeartbeat written = new AnalyzerHeartbeat(
                VERSION, "i".repeat(128), Long.MAX_VALUE, Map.of("shop", 3), policies(1, 1 + many), policies(1, many));

        byte[] json = GateLockJson.write(written);

        assertThat(json.length).isLessThanOrEqualTo(BoundedJson.MAX_BYTES);
        assertThat(GateLockJson.read(json)).contains(written);
    }

    @Test
    void moreServicesThanFit_leaveRoomForPolicies() throws MalformedRecord {
        AnalyzerHeartbeat written =
                new AnalyzerHeartbeat(VERSION, "i", 1, services(1_000), policies(1, 100), policies(1, 100));

        assertThat(GateLockJson.read(GateLockJson.write(written))).contains(written);
        assertThat(written.liveAgents()).isNotEmpty();
        assertThat(written.enforced()).hasSize(99);
        assertThat(written.active()).hasSize(99);
    }

    /** A guard that does not know of locks would let more be opened; one that does not know of subjects, fewer. */
    @Test
    void morePoliciesThanFit_keepAllLocksAndTheLargestCounts() {
        AnalyzerHeartbeat cut =
                new AnalyzerHeartbeat(VERSION, "i", 1, Map.of("shop", 3), policies(1, 10_001), policies(1, 101));

        assertThat(cut.liveAgents()).isEqualTo(Map.of("shop", 3));
        assertThat(cut.enforced()).isEqualTo(policies(1, 101));
        assertThat(cut.active()).hasSizeGreaterThan(300).containsEntry("p".repeat(58) + "010000", 10_000);
        assertThat(cut.active().values())
                .allMatch(count -> count > 10_000 - cut.active().size());
    }

    @Test
    void whatFits_isNotCut() {
        AnalyzerHeartbeat whole =
                new AnalyzerHeartbeat(VERSION, "i", 1, Map.of("shop", 3), policies(1, 200), policies(1, 200));

        assertThat(whole.active()).isEqualTo(policies(1, 200));
        assertThat(whole.enforced()).isEqualTo(policies(1, 200));
    }
}
