package io.sluice.analyzer.decide;

import static io.sluice.analyzer.decide.Rig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.AnalyzerHeartbeat;
import io.sluice.contract.lock.BrokerClock;
import io.sluice.contract.lock.Version;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeardLocksTest {
    private static final long HEARD = GuardRebalancer.HEARING_MILLIS;

    private final HeardLocks heard = new HeardLocks();

    private static AnalyzerHeartbeat heartbeat(int locks, boolean positions, boolean part) {
        Map<String, Integer> enforced = locks == 0 ? Map.of() : Map.of("p", locks);
        Version version = new Version("decide-0", 1, 1);
        return new AnalyzerHeartbeat(version, "a", 0, Map.of(), Map.of(), enforced, 0, positions, false, part);
    }

    private void reports(long time, int locks) {
        heard.report(heartbeat(locks, true, false), time);
    }

    @Test
    void locks_areHeardOfWhenTheirReportIsOldEnough() {
        reports(TIME, 3);
        reports(TIME + HEARD - 1, 3);

        assertThat(heard.of("p", TIME + HEARD - 1)).isZero();
        assertThat(heard.of("p", TIME + HEARD)).isEqualTo(3);
        assertThat(heard.of("other", TIME + HEARD)).isZero();
    }

    @Test
    void newerLocks_areNotHeardOfYet() {
        reports(TIME, 3);
        reports(TIME + 1000, 8);

        assertThat(heard.of("p", TIME + HEARD)).isEqualTo(3);
        assertThat(heard.of("p", TIME + HEARD + 500)).isEqualTo(3);
    }

    @Test
    void olderReports_areForgotten() {
        for (int second = 0; second <= 20; second++) {
            reports(TIME + 1000L * second, second);
        }

        assertThat(heard.of("p", TIME + 20_000)).isEqualTo((int) (20 - HEARD / 1000));
    }

    @Test
    void releasedLocks_leaveNoRoomForOthersThatAreNew() {
        reports(TIME, 8);
        reports(TIME + 1000, 2);
        reports(TIME + 2000, 8);

        assertThat(heard.of("p", TIME + HEARD)).isEqualTo(2);
    }

    @Test
    void partOfTheCounts_provesNothing() {
        heard.report(heartbeat(3, true, true), TIME);

        assertThat(heard.of("p", TIME + HEARD)).isZero();
    }

    @Test
    void heartbeatInATransaction_provesNothing() {
        heard.report(heartbeat(3, false, false), TIME);

        assertThat(heard.of("p", TIME + HEARD)).isZero();
    }

    @Test
    void unknownTime_isNoReport() {
        reports(BrokerClock.UNKNOWN, 3);

        assertThat(heard.of("p", TIME + HEARD)).isZero();
    }
}
