package io.sluice.analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {
    @ParameterizedTest
    @CsvSource({
        "-5, 0ms",
        "0, 0ms",
        "999, 999ms",
        "1000, 1s",
        "59999, 59s",
        "60000, 1m",
        "95000, 1m 35s",
        "3600000, 1h",
        "3605000, 1h",
        "3900000, 1h 5m",
        "86399999, 23h 59m",
        "86400000, 1d",
        "93600000, 1d 2h",
        "86700000, 1d",
        "34560000000, 400d"
    })
    void of_isTheLargestTwoUnits(long millis, String expected) {
        assertThat(DurationText.of(millis)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0s",
        "250, 0.3s",
        "1500, 1.5s",
        "9000, 9s",
        "47000, 47s",
        "60000, 1m",
        "146000, 2m26s",
        "3600000, 1h",
        "11100000, 3h5m",
        "180000000, 2d2h"
    })
    void compact_hasTwoUnitsAtMostAndTenthsOfFewSeconds(long millis, String expected) {
        assertThat(DurationText.compact(millis)).isEqualTo(expected);
    }
}
