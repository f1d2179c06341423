package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.http.server.Responses;
import io.sluice.settings.HttpSettings;
import io.sluice.settings.TlsSettings;
import io.sluice.testing.FreePort;
import io.sluice.testing.TestCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Instances with TLS, which ask each other. */
@Tag("server")
@Tag("full")
class PagesTlsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private static HttpSettings settings(int port, TestCertificate own, Path ca, Path clientCa) {
        return new HttpSettings(
                "127.0.0.1", port, null, false, List.of(), new TlsSettings(own.certificate(), own.key(), clientCa), ca);
    }

    @Test
    void instances_askEachOtherWithTheirCertificates() throws Exception {
        TestCertificate own = TestCertificate.create(folder, "own");
        TestCertificate stranger = TestCertificate.create(folder, "stranger");
        HttpSettings settings = settings(FreePort.next(), own, own.certificate(), own.certificate());
        try (HealthPage page = HealthPage.open(settings, () -> true, () -> "", () -> "")) {
            page.serve((request, response, callback) -> Responses.write(
                    response, callback, 200, "application/json", "{}".getBytes(StandardCharsets.UTF_8)));
            String address = "127.0.0.1:" + page.port();

            List<Object> answers = new ArrayList<>();
            Peers peers = new Peers(Peers.Access.of(settings, null, PATIENCE));
            peers.ask(address, "top", answers::add);
            peers.await();
            assertThat(peers.missing()).isEmpty();
            assertThat(answers).hasSize(1);

            Peers others = new Peers(Peers.Access.of(settings(0, stranger, own.certificate(), null), null, PATIENCE));
            others.ask(address, "top", answers::add);
            others.await();
            assertThat(others.missing()).containsKey(address);
            assertThat(answers).hasSize(1);
        }
    }

    @Test
    void filesThatCannotBeUsed_areAnErrorAtStart() throws Exception {
        TestCertificate own = TestCertificate.create(folder, "own");
        Path empty = Files.createFile(folder.resolve("empty.key"));
        HttpSettings wrong = settings(FreePort.next(), new TestCertificate(own.certificate(), empty), null, null);

        assertThatThrownBy(() -> HealthPage.open(wrong, () -> true, () -> "", () -> ""))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("empty.key: found no PRIVATE KEY");
    }
}
