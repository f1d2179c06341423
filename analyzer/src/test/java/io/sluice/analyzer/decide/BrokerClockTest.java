package io.sluice.analyzer.decide;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrokerClockTest {
    private final BrokerClock clock = new BrokerClock();

    @Test
    void theTimeIsUnknownUntilSomethingWasHeard() {
        assertThat(clock.now(123)).isEqualTo(BrokerClock.UNKNOWN);
    }

    @Test
    void theTimeGoesOnFromTheNewestAppendTime() {
        clock.heard(1_000, 50_000_000);

        assertThat(clock.now(50_000_000)).isEqualTo(1_000);
        assertThat(clock.now(57_999_999)).isEqualTo(1_007);
    }

    @Test
    void anOlderAppendTimeChangesNothing() {
        clock.heard(1_000, 0);
        clock.heard(900, 5_000_000);

        assertThat(clock.now(5_000_000)).isEqualTo(1_005);
    }

    @Test
    void aMonotonicTimeThatOverflowsIsNoMatter() {
        clock.heard(1_000, Long.MAX_VALUE - 999_999);

        assertThat(clock.now(Long.MIN_VALUE)).isEqualTo(1_001);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 100, 100", "5, 0, 3, 6", "5, 9, 3, 10", "5, 9, 10, 10", "5, 9, 11, 11"})
    void anEpochIsHigherThanAllBefore(long stored, long seen, long wall, long next) {
        assertThat(Epoch.next(stored, seen, wall)).isEqualTo(next);
    }
}
