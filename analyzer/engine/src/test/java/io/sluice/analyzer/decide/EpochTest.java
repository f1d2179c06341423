package io.sluice.analyzer.decide;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EpochTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0, 100, 100",
        "5, 0, 3, 6",
        "5, 9, 3, 10",
        "5, 9, 10, 10",
        "5, 9, 11, 11",
        "5, 9223372036854775807, 11, 9223372036854775807"
    })
    void anEpochIsHigherThanAllBefore(long stored, long seen, long wall, long next) {
        assertThat(Epoch.next(stored, seen, wall)).isEqualTo(next);
    }
}
