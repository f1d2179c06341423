package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class SpansTest {
    @ParameterizedTest
    @CsvSource({
        "1ms, 1",
        "90s, 90000",
        "000000000000000000000090s, 90000",
        "36500d, 3153600000000",
        "3153600000000ms, 3153600000000"
    })
    void duration_upToTheLimit_isRead(String text, long millis) {
        assertThat(new Spans().convert(text)).isEqualTo(millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"36501d", "3153600000001ms", "876001h", "99999999999999999999s"})
    void duration_beyondTheLimit_isRefusedWithIt(String text) {
        assertThatThrownBy(() -> new Spans().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("found " + text + ", at most 36500d is allowed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "000d", "5", "5x", "-5s", "", "1.5h"})
    void duration_thatIsNone_isRefused(String text) {
        assertThatThrownBy(() -> new Spans().convert(text)).hasMessageContaining("allowed is a duration such as");
    }
}
