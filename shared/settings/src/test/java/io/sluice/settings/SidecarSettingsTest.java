package io.sluice.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys below {@code sidecar}. */
class SidecarSettingsTest extends SettingsFixture {
    @Test
    void aSidecarListensOnLoopbackUnlessToldOtherwise() throws Exception {
        assertThat(read("").sidecar())
                .isEqualTo(new SidecarSettings(listen("127.0.0.1", 8481), listen("127.0.0.1", 8482), 1024, 429));
        assertThat(read("sidecar: { http: \"[::1]:0\", grpc: gate:65535, connections: 7, reject-status: 403 }")
                        .sidecar())
                .isEqualTo(new SidecarSettings(listen("::1", 0), listen("gate", 65_535), 7, 403));
        assertThat(read("sidecar: { drain: 30s }").sidecar().drainMillis()).isEqualTo(30_000);
        assertThat(problems("sidecar: { drain: 11m }"))
                .containsExactly(
                        file
                                + ":1: sidecar.drain: found 11m, allowed is a duration such as 200ms, 10s or 5m, from 100 ms to 600000 ms");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"8481", "\":8481\"", "\"gate:\"", "gate:65536", "\"::1:8481\"", "\"[::1]\"", "http://gate:8481"})
    void whereASidecarListensIsHostAndPort(String wrong) {
        assertThat(problems("sidecar: { http: " + wrong + " }"))
                .singleElement()
                .asString()
                .contains("sidecar.http: found ", "allowed is HOST:PORT");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 500, 503})
    void aSidecarRejectsWithAStatusThatSaysSo(int wrong) {
        assertThat(problems("sidecar: { reject-status: " + wrong + " }"))
                .singleElement()
                .asString()
                .contains("allowed is a whole number from 401 to 499");
    }

    private static SidecarSettings.Listen listen(String host, int port) {
        return new SidecarSettings.Listen(host, port);
    }
}
