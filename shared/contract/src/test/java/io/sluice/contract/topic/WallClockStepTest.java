package io.sluice.contract.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WallClockStepTest {
    private static final long MILLI = 1_000_000;

    private final AtomicLong wall = new AtomicLong(1_763_699_999_000L);
    private final AtomicLong nanos = new AtomicLong(-5);
    private final WallClockStep clock = new WallClockStep(wall::get, nanos::get);

    private long pass(long millis, long step) {
        nanos.addAndGet(millis * MILLI);
        wall.addAndGet(millis + step);
        return clock.back();
    }

    @ParameterizedTest
    @CsvSource({"-3600000, 3600000", "-2001, 2001", "-2000, 0", "-1999, 0", "0, 0", "3600000, 0"})
    void onlyAClockThatIsSetBackByMoreThanTheyMayWaitIsTold(long step, long back) {
        assertThat(pass(1_000, 0)).isZero();
        assertThat(pass(1_000, step)).isEqualTo(back);
        assertThat(pass(1_000, 0)).isZero();
    }

    @Test
    void theTimeForWhichAProcessIsFrozenPassesOnBothClocks() {
        pass(1_000, 0);

        assertThat(pass(3_600_000, 0)).isZero();
    }

    @Test
    void aFreezeBetweenTwoReadingsIsNoStep() {
        AtomicLong readings = new AtomicLong();
        WallClockStep frozen = new WallClockStep(
                () -> 10_000,
                // the third reading, after the wall clock's, comes an hour late
                () -> readings.incrementAndGet() == 3 ? 3_600_000 * MILLI : 0);

        assertThat(frozen.back()).isZero();
        assertThat(frozen.back()).isZero();
    }
}
