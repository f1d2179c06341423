package io.sluice.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.verdict.Completion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HttpGateTest {
    @ParameterizedTest
    @CsvSource({
        "0,SUCCESS",
        "200,SUCCESS",
        "499,SUCCESS",
        "500,IGNORED",
        "502,IGNORED",
        "503,OVERLOADED",
        "504,OVERLOADED",
        "505,IGNORED"
    })
    void aStatusSaysWhatAnAdaptiveLimitLearns(int status, Completion end) {
        assertThat(HttpGate.end(status)).isEqualTo(end);
    }
}
