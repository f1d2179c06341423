package io.sluice.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LullsTest {
    private final Lulls lulls = new Lulls(800, 10);

    /** As an agent logs what it rejects: fifteen calls as one, each quarter of a second. */
    private void calls(long from, long until, long lateMillis) {
        for (long time = from; time < until; time += 250) {
            lulls.add("noisy", time, time + lateMillis, 15);
        }
    }

    @Test
    void whoCallsAllTheTimeHasNone() {
        calls(0, 60_000, 20);

        assertThat(lulls.any("noisy", 2_000, 59_000)).isFalse();
    }

    @Test
    void aPauseIsOne_andOnlyWhileItLasts() {
        calls(0, 20_000, 20);
        calls(22_000, 60_000, 20);

        assertThat(lulls.any("noisy", 2_000, 59_000)).isTrue();
        assertThat(lulls.any("noisy", 2_000, 20_500)).isFalse();
        assertThat(lulls.any("noisy", 23_000, 59_000)).isFalse();
    }

    @Test
    void whatIsAppendedLateWasNotThere() {
        calls(0, 20_000, 20);
        calls(20_000, 21_500, 1_500);
        calls(21_500, 60_000, 20);

        assertThat(lulls.any("noisy", 2_000, 59_000)).isTrue();
    }

    @Test
    void whoNeverCalledHasNothingElse() {
        assertThat(lulls.any("calm", 2_000, 59_000)).isTrue();
    }
}
