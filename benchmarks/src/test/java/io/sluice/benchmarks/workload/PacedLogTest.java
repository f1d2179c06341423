package io.sluice.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PacedLogTest {

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 20", "50, 1000", "3999999, 79999980"})
    void eventsComeAtASteadyPace(long n, long millis) {
        assertThat(log(4_000_000, 80_000_000).offset(n)).isEqualTo(millis);
    }

    @ParameterizedTest
    @CsvSource({"3999999, 79999", "2000000, 40000", "49, 0", "50, 1"})
    void severalShareAMillisecond(long n, long millis) {
        assertThat(log(4_000_000, 80_000).offset(n)).isEqualTo(millis);
    }

    private static PacedLog log(long events, long span) {
        return new PacedLog("paced", 4, events, span, 1, Callers.uniform(10));
    }
}
