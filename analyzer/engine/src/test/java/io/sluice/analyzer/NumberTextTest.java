package io.sluice.analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"61|61", "12345|12,345", "0.62|0.6"})
    void of_isWholeWhereItCanBe(double value, String expected) {
        assertThat(NumberText.of(value)).isEqualTo(expected);
    }

    @Test
    void percent_hasOneDigit_shortPercentOnlyWhereItIsNotZero() {
        assertThat(NumberText.percent(0.4)).isEqualTo("40.0 %");
        assertThat(NumberText.shortPercent(0.4)).isEqualTo("40 %");
        assertThat(NumberText.shortPercent(0.404)).isEqualTo("40.4 %");
    }
}
