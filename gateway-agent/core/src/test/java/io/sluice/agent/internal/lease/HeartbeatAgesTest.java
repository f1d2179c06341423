package io.sluice.agent.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.Version;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HeartbeatAgesTest {
    private static final long SECOND = 1_000_000_000;
    private static final long BROKER = 1_763_700_000_000L;

    private final BrokerClocks clocks = new BrokerClocks();
    private final HeartbeatAges heartbeats = new HeartbeatAges(clocks, 5000);

    private void heard(int partition, long append, long now, boolean live) {
        clocks.heard(partition, append, now, live);
        Version version = new Version("decide-" + partition, 1, 1);
        heartbeats.heard(partition, new AnalyzerHeartbeat(version, "a", 0, Map.of()), append, live);
    }

    @Test
    void anOlderHeartbeatThatIsReadAgainDoesNotReplaceTheNewest() {
        heard(0, BROKER, 0, true);
        heard(0, BROKER - 60_000, SECOND, false);
        assertThat(heartbeats.fresh(SECOND)).isTrue();
        assertThat(heartbeats.ages(SECOND)).containsEntry("decide-0", 1000L);
    }

    @Test
    void aLiveHeartbeatCountsAlsoWhenTheBrokersClockWasSetBack() {
        heard(0, BROKER + 3_600_000, 0, true);
        for (long second = 1; second <= 180; second++) {
            heard(0, BROKER + second * 1000, second * SECOND, true);
        }
        assertThat(heartbeats.fresh(185 * SECOND)).isTrue();
        assertThat(heartbeats.fresh(186 * SECOND)).isFalse();
    }

    @Test
    void partitionsThatAreGoneAreNotWaitedFor() {
        heartbeats.partitions(2);
        heard(0, BROKER, 0, true);
        heard(1, BROKER, 0, true);

        heartbeats.partitions(1);
        heard(0, BROKER + 60_000, 60 * SECOND, true);

        assertThat(heartbeats.silent(60 * SECOND)).isEmpty();
        assertThat(heartbeats.ages(60 * SECOND)).containsOnlyKeys("decide-0");
    }
}
