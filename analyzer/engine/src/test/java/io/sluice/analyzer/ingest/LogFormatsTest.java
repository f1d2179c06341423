package io.sluice.analyzer.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LogFormatsTest {
    @Test
    void anUnknownFormatIsRefusedWithThoseThereAre() {
        assertThatThrownBy(() -> LogFormats.of(Sources.of("iis")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'iis'")
                .hasMessageContaining("json, combined, nginx-json, envoy-json, ecs");
    }

    @Test
    void aFormatOfOnesOwnIsFoundByItsName() throws Exception {
        assertThat(LogFormats.names()).contains("tab-separated");
        assertThat(Sources.read(Sources.of("tab-separated"), "1763699999123\tacme")
                        .caller())
                .isEqualTo("acme");
    }
}
