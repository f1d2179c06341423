package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShownTest {
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
    void aDurationHasTwoUnitsAtMost(long millis, String expected) {
        assertThat(Shown.duration(millis)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"61|61", "12345|12,345", "0.62|0.6"})
    void aNumberIsWholeWhereItCanBe(double value, String expected) {
        assertThat(Shown.number(value)).isEqualTo(expected);
    }

    @Test
    void aLongNameIsCutBetweenCharacters() {
        assertThat(Shown.name("x".repeat(61))).isEqualTo("x".repeat(60) + "…");
        assertThat(Shown.name("\ud83d\ude00".repeat(61))).isEqualTo("\ud83d\ude00".repeat(60) + "…");
        assertThat(Shown.name("x".repeat(60))).isEqualTo("x".repeat(60));
    }
}
