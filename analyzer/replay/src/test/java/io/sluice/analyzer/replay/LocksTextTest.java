package io.sluice.analyzer.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.lock.Evidence;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocksTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "above | 31 | 30 | 31 | 31 requests in 1m, allowed 30",
                "share | 0.5 | 0.4 | 33 | 33 of 66 requests in 1m (50.0 %, allowed 40.0 %)",
                "spike | 7.25 | 5 | 290 | 290 requests in 1m, 7.3 times its baseline, allowed 5",
                "debt | 101 | 100 | 60 | a debt of 101 requests, allowed 100"
            })
    void eachDetectorsEvidenceIsToldInItsOwnWords(
            String detector, double observed, double threshold, double sum, String words) {
        Evidence evidence = new Evidence(detector, observed, threshold, "requests", 60_000, sum, 66, 1, 1, "r");

        assertThat(LocksText.why(evidence)).isEqualTo(words);
    }
}
