package io.sluice.analyzer.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadinessTest {
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicLong now = new AtomicLong();
    private final Readiness readiness = new Readiness(running::get, now::get);

    @Test
    void itIsNotReadyBeforeItsTasksHaveEverBeenWorkedOn() {
        assertThat(readiness.getAsBoolean()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"-1, true", "0, true", "1, false"})
    void whileTasksMoveItStaysReadyForAGrace(long nanosPastGrace, boolean ready) {
        running.set(true);
        assertThat(readiness.getAsBoolean()).isTrue();

        running.set(false);
        now.set(Readiness.GRACE.toNanos() + nanosPastGrace);

        assertThat(readiness.getAsBoolean()).isEqualTo(ready);
    }
}
