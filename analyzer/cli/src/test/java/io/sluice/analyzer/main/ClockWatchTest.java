package io.sluice.analyzer.main;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.topic.WallClockStep;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClockWatchTest {
    private final AtomicLong wall = new AtomicLong(1_763_699_999_000L);
    private final AtomicInteger told = new AtomicInteger();
    private final ClockWatch watch = new ClockWatch(new WallClockStep(wall::get, () -> 0), told::incrementAndGet);

    @Test
    void aClockThatIsSetBackIsToldOnce() {
        watch.look();
        assertThat(watch.setBack()).isFalse();

        wall.addAndGet(-10_000);
        watch.look();
        wall.addAndGet(-10_000);
        watch.look();

        assertThat(watch.setBack()).isTrue();
        assertThat(told).hasValue(1);
    }
}
