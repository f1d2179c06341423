package io.sluice.analyzer.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFormatsTest {
    @ParameterizedTest
    @ValueSource(strings = {"envoy-json", "ecs"})
    void aFormatOfALaterVersionIsRefusedAsSuch(String format) {
        assertThatThrownBy(() -> LogFormats.of(Sources.of(format)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("format: " + format + " is not supported yet")
                .hasMessageContaining("json, combined, nginx-json");
    }

    @Test
    void anUnknownFormatIsRefusedWithThoseThereAre() {
        assertThatThrownBy(() -> LogFormats.of(Sources.of("iis")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'iis'")
                .hasMessageContaining("json, combined, nginx-json");
    }

    @Test
    void aFormatOfOnesOwnIsFoundByItsName() throws Exception {
        assertThat(LogFormats.names()).contains("tab-separated");
        assertThat(Sources.read(Sources.of("tab-separated"), "1763699999123\tacme")
                        .caller())
                .isEqualTo("acme");
    }
}
