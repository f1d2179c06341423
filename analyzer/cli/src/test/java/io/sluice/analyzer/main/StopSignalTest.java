package io.sluice.analyzer.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StopSignalTest {
    private final StopSignal signal = new StopSignal();
    private final AtomicInteger closed = new AtomicInteger();

    @Test
    void whatRunsIsClosedAndTheProcessWaitsForTheRest() {
        assertThat(signal.running(closed::incrementAndGet)).isTrue();

        Thread hook = new Thread(signal::tell);
        hook.start();

        await().untilAsserted(() -> assertThat(closed).hasValue(1));
        assertThat(signal.told()).isTrue();
        await().until(() -> hook.getState() == Thread.State.WAITING);
        signal.ended();
        await().until(() -> !hook.isAlive());
    }

    @Test
    void whereNothingRunsNobodyWaitsAndNothingIsStartedAfterIt() {
        signal.running(closed::incrementAndGet);
        signal.stopped();

        signal.tell();

        assertThat(closed).hasValue(0);
        assertThat(signal.running(closed::incrementAndGet)).isFalse();
    }
}
