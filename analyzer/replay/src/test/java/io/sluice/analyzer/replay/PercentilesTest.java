package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PercentilesTest {
    @ParameterizedTest
    @CsvSource({"1, 10", "25, 10", "26, 20", "50, 20", "51, 30", "75, 30", "76, 40", "99, 40", "100, 40"})
    void aPercentileIsTheNearestRank(int percent, long expected) {
        assertThat(Percentiles.of(new long[] {10, 20, 30, 40}, percent)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"50", "99"})
    void ofNothingThereIsNone(int percent) {
        assertThat(Percentiles.of(new long[0], percent)).isZero();
    }
}
