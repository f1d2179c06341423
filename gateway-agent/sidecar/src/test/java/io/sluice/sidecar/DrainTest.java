package io.sluice.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrainTest {
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");
    private static final String BODY =
            "{\"domain\":\"orders\",\"descriptors\":[{\"entries\":[{\"key\":\"caller\",\"value\":\"acme\"}]}]}";

    @Test
    void givenARequestInFlightWhenToldToStopThenItIsAnsweredWhatIsNewIsRefusedAndTheProcessEnds(@TempDir Path folder)
            throws Exception {
        Path settings = Sidecars.settings(folder, "policies: []", "", ", drain: 5m");
        try (SidecarProcess sidecar = SidecarProcess.start(settings)) {
            Process process = sidecar.process();
            URI http = sidecar.http();
            try (Socket inFlight = new Socket(InetAddress.getLoopbackAddress(), http.getPort())) {
                inFlight.setSoTimeout(120_000);
                // answered once, so that the server has accepted the connection and reads the next request of it
                send(inFlight, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
                readAnswer(inFlight);
                send(
                        inFlight,
                        "POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: " + BODY.length() + "\r\n\r\n"
                                + BODY.substring(0, 10));
                askedOnce(http);

                process.destroy();
                await().atMost(Duration.ofMinutes(2))
                        .untilAsserted(
                                () -> assertThatThrownBy(() -> askedOnce(http)).isInstanceOf(IOException.class));
                assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), http.getPort()))
                        .isInstanceOf(ConnectException.class);
                assertThat(process.isAlive()).isTrue();
                send(inFlight, BODY.substring(10));

                assertThat(new String(inFlight.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("HTTP/1.1 200")
                        .endsWith("}");
            }
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            // 128 + SIGTERM: what a JVM says that was told to stop
            assertThat(process.exitValue()).isEqualTo(143);
        }
    }

    private static void askedOnce(URI http) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), http.getPort())) {
            socket.setSoTimeout(120_000);
            send(socket, "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            if (!new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .startsWith("HTTP/1.1 200")) {
                throw new IOException("refused");
            }
        }
    }

    /** Reads one answer, and no byte of the next. */
    private static void readAnswer(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            assertThat(next).as("a byte after " + head).isNotNegative();
            head.append((char) next);
        }
        Matcher length = LENGTH.matcher(head);
        assertThat(length.find()).as(head.toString()).isTrue();
        in.readNBytes(Integer.parseInt(length.group(1)));
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }
}
