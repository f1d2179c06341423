package io.sluice.analyzer.decide;

import static io.sluice.analyzer.decide.Rig.TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.BrokerClock;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeardLocksTest {
    private static final long HEARD = GuardRebalancer.HEARING_MILLIS;

    private final HeardLocks heard = new HeardLocks();

    private void reports(long time, int locks) {
        heard.report(locks == 0 ? Map.of() : Map.of("p", locks), time);
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
    void unknownTime_isNoReport() {
        heard.report(Map.of("p", 3), BrokerClock.UNKNOWN);

        assertThat(heard.of("p", TIME + HEARD)).isZero();
    }
}
