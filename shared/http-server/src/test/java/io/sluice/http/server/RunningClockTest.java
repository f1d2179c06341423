package io.sluice.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RunningClockTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    private final RunningClock clock = new RunningClock(nanos::get);

    private long after(long millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
        return TimeUnit.NANOSECONDS.toMillis(clock.getAsLong());
    }

    @Test
    void timeOfAProcessThatRunsIsCountedInFull() {
        assertThat(after(0)).isZero();
        assertThat(after(1_000)).isEqualTo(1_000);
        assertThat(after(2_000)).isEqualTo(3_000);
    }

    @Test
    void aStandstillIsNot() {
        assertThat(after(1_000)).isEqualTo(1_000);
        assertThat(after(60_000)).isEqualTo(3_000);
        assertThat(after(500)).isEqualTo(3_500);
    }
}
