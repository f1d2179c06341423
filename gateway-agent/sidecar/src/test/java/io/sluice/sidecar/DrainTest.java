package io.sluice.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
class DrainTest {
    private static final String BODY =
            "{\"domain\":\"orders\",\"descriptors\":[{\"entries\":[{\"key\":\"caller\",\"value\":\"acme\"}]}]}";

    @Test
    void givenARequestInFlightWhenToldToStopThenItIsAnsweredWhatIsNewIsRefusedAndTheProcessEnds(@TempDir Path folder)
            throws Exception {
        Path settings = Sidecars.settings(folder, "policies: []", "", ", drain: 5m");
        try (SidecarProcess sidecar = SidecarProcess.start(settings)) {
            Process process = sidecar.process();
            URI http = sidecar.http();
            try (RawHttp inFlight = new RawHttp(http)) {
                // answered once, so that the server has accepted the connection and reads the next request of it
                inFlight.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
                inFlight.status();
                inFlight.send("POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: " + BODY.length() + "\r\n\r\n"
                        + BODY.substring(0, 10));
                askedOnce(http);

                process.destroy();
                await().atMost(Duration.ofMinutes(2))
                        .untilAsserted(
                                () -> assertThatThrownBy(() -> askedOnce(http)).isInstanceOf(IOException.class));
                assertThatThrownBy(() -> new RawHttp(http)).isInstanceOf(ConnectException.class);
                assertThat(process.isAlive()).isTrue();
                inFlight.send(BODY.substring(10));

                assertThat(inFlight.rest()).startsWith("HTTP/1.1 200").endsWith("}");
            }
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            // 128 + SIGTERM: what a JVM says that was told to stop
            assertThat(process.exitValue()).isEqualTo(143);
        }
    }

    private static void askedOnce(URI http) throws IOException {
        try (RawHttp connection = new RawHttp(http)) {
            connection.send("GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            if (!connection.rest().startsWith("HTTP/1.1 200")) {
                throw new IOException("refused");
            }
        }
    }
}
