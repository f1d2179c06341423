package io.sluice.analyzer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses of analyzers as users type and copy them. */
class AnalyzerAddressTest {
    @ParameterizedTest
    @CsvSource({
        "sluice.internal:8480,             https://sluice.internal:8480/",
        "http://127.0.0.1:8480,            http://127.0.0.1:8480/",
        "https://sluice.internal/,         https://sluice.internal/",
        "https://sluice.internal/#/now,    https://sluice.internal/",
        "http://[::1]:8480/#/audit?q=acme, http://[::1]:8480/",
    })
    void address_asTypedOrCopiedFromABrowser_hasItsRoot(String text, String root) throws Exception {
        assertThat(AnalyzerAddress.of(text, "https").root()).hasToString(root);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://x:1",
                "no place",
                "https://user@sluice.internal",
                "https://sluice.internal/path",
                "",
                "x:y"
            })
    void address_ofSomethingElse_isRefusedWithWhatIsAllowed(String text) {
        assertThatThrownBy(() -> AnalyzerAddress.of(text, "http"))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("--at: found " + text + ", allowed is HOST:PORT or https://HOST:PORT");
    }

    @Test
    void unanswered_hostIsUnknown_saysSo() throws Exception {
        ConnectException failure = new ConnectException();
        failure.initCause(new UnresolvedAddressException());

        assertThat(AnalyzerAddress.of("sluice.internal:8480", "http").unanswered(failure))
                .hasMessageStartingWith("no analyzer answers at sluice.internal:8480 (there is no such host)\n");
    }
}
