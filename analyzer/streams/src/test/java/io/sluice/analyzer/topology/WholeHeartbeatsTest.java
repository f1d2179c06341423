package io.sluice.analyzer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.Version;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WholeHeartbeatsTest {
    private final WholeHeartbeats heartbeats = new WholeHeartbeats();
    private long seq;

    private AnalyzerHeartbeat heard(long epoch, Map<String, Integer> active, boolean part) {
        Version version = new Version("decide-1", epoch, seq++);
        return heartbeats.whole(
                new AnalyzerHeartbeat(version, "one", 1, Map.of(), active, Map.of(), 0, true, false, part));
    }

    @Test
    void whole_parts_arePutTogether() {
        heard(1, Map.of("a", 1, "b", 2), true);

        assertThat(heard(1, Map.of("b", 3, "c", 4), true).active()).isEqualTo(Map.of("a", 1, "b", 3, "c", 4));
    }

    @Test
    void whole_heartbeatWithAllCounts_replacesTheParts() {
        heard(1, Map.of("a", 1), true);

        assertThat(heard(1, Map.of("b", 2), false).active()).isEqualTo(Map.of("b", 2));
        assertThat(heard(1, Map.of("c", 3), true).active()).isEqualTo(Map.of("c", 3));
    }

    @Test
    void whole_newEpoch_startsWithoutTheCountsOfTheLast() {
        heard(1, Map.of("a", 1), true);

        assertThat(heard(2, Map.of("b", 2), true).active()).isEqualTo(Map.of("b", 2));
    }

    @Test
    void whole_policyThatIsNotReportedAnyMore_isDropped() {
        heard(1, Map.of("a", 1), true);
        for (int beat = 0; beat < 62; beat++) {
            assertThat(heard(1, Map.of("b", 2), true).active()).containsKey("a");
        }
        heard(1, Map.of("b", 2), true);

        assertThat(heard(1, Map.of("b", 2), true).active()).isEqualTo(Map.of("b", 2));
    }
}
