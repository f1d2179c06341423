package io.sluice.analyzer.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventTimesTest {
    private static final long APPEND = 1_763_700_000_000L;

    @ParameterizedTest
    @CsvSource({"4999, 4999", "5000, 5000", "5001, 0", "3500000, 0"})
    void aTimeFromTheFutureBecomesTheAppendTime(long ahead, long counted) {
        assertThat(new EventTimes(5_000, 60_000).of(APPEND + ahead, APPEND)).isEqualTo(APPEND + counted);
    }

    @ParameterizedTest
    @CsvSource({"59999, false", "60000, false", "60001, true", "1763700000000, true"})
    void aTimeFromTheFarPastIsLate(long behind, boolean late) {
        long time = new EventTimes(5_000, 60_000).of(APPEND - behind, APPEND);

        assertThat(time).isEqualTo(late ? EventTimes.LATE : APPEND - behind);
    }

    @Test
    void negativeBoundsAreRefused() {
        assertThatThrownBy(() -> new EventTimes(-1, 0)).hasMessageContaining("skew of -1 ms");
    }
}
