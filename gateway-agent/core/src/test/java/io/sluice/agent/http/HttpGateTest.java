package io.sluice.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.limit.InFlight;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HttpGateTest {
    @ParameterizedTest
    @CsvSource({
        "0,WELL",
        "200,WELL",
        "499,WELL",
        "500,OTHER",
        "502,OTHER",
        "503,OVERLOADED",
        "504,OVERLOADED",
        "505,OTHER"
    })
    void aStatusSaysWhatAnAdaptiveLimitLearns(int status, InFlight.End end) {
        assertThat(HttpGate.end(status)).isEqualTo(end);
    }
}
