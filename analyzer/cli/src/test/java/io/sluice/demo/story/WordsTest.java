package io.sluice.demo.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.Evidence;
import org.junit.jupiter.api.Test;

class WordsTest {

    @Test
    void aShareIsToldInPercentOfTheLoad() {
        Evidence share = new Evidence("share", 0.4038, 0.4, "requests", 5000, 267, 1661, 0, 0, "r");

        assertThat(Words.why(share)).isEqualTo("40.4 % of 1,661 requests in 5 s, allowed are 40 %");
    }

    @Test
    void aSumIsToldAsItIs() {
        Evidence above = new Evidence("above", 1001, 1000, "requests", 5000, 1001, 0, 0, 0, "r");

        assertThat(Words.why(above)).isEqualTo("1,001 requests in 5 s, allowed are 1,000");
    }

    @Test
    void fewMillisecondsHaveADigit() {
        assertThat(Words.millis(9.94)).isEqualTo("9.9 ms");
        assertThat(Words.millis(61.2)).isEqualTo("61 ms");
        assertThat(Words.seconds(6049)).isEqualTo("6.0 s");
    }
}
