package io.sluice.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClockWatchTest {
    private static final long MILLI = 1_000_000;

    private final AtomicLong wall = new AtomicLong(1_763_699_999_000L);
    private final AtomicLong nanos = new AtomicLong(-5);
    private final AtomicInteger told = new AtomicInteger();
    private final ClockWatch watch = new ClockWatch(wall::get, nanos::get, told::incrementAndGet);

    private void pass(long millis, long step) {
        nanos.addAndGet(millis * MILLI);
        wall.addAndGet(millis + step);
        watch.look();
    }

    @ParameterizedTest
    @CsvSource({"-3600000, true", "-2001, true", "-2000, false", "-1999, false", "0, false", "3600000, false"})
    void onlyAClockThatIsSetBackByMoreThanTheyMayWaitIsTold(long step, boolean setBack) {
        pass(1_000, 0);
        pass(1_000, step);
        pass(1_000, 0);

        assertThat(watch.setBack()).isEqualTo(setBack);
        assertThat(told).hasValue(setBack ? 1 : 0);
    }

    @Test
    void itIsToldOnce() {
        pass(1_000, -10_000);
        pass(1_000, -10_000);

        assertThat(told).hasValue(1);
    }

    @Test
    void theTimeForWhichAProcessIsFrozenPassesOnBothClocks() {
        pass(1_000, 0);
        pass(3_600_000, 0);

        assertThat(watch.setBack()).isFalse();
    }

    @Test
    void aFreezeBetweenTwoReadingsIsNoStep() {
        AtomicLong readings = new AtomicLong();
        ClockWatch frozen = new ClockWatch(
                () -> 10_000,
                // the third reading, after the wall clock's, comes an hour late
                () -> readings.incrementAndGet() == 3 ? 3_600_000 * MILLI : 0,
                told::incrementAndGet);
        frozen.look();
        frozen.look();

        assertThat(frozen.setBack()).isFalse();
        assertThat(told).hasValue(0);
    }
}
