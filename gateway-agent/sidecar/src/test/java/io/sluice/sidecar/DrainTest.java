package io.sluice.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DrainTest {
    private static final Pattern LISTENS = Pattern.compile("answers on (http://\\S+),");
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");
    private static final String BODY =
            "{\"domain\":\"orders\",\"descriptors\":[{\"entries\":[{\"key\":\"caller\",\"value\":\"acme\"}]}]}";

    /** The command as the launcher runs it. */
    static final class Main {
        public static void main(String... arguments) {
            System.exit(new CommandLine(new SidecarCommand()).execute(arguments));
        }
    }

    @Test
    void givenARequestInFlightWhenToldToStopThenItIsAnsweredWhatIsNewIsRefusedAndTheProcessEnds(@TempDir Path folder)
            throws Exception {
        Process process = start(folder);
        try {
            URI http = address(process.inputReader(StandardCharsets.UTF_8));
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
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process start(Path folder) throws IOException {
        Path settings = Sidecars.settings(folder, "policies: []", "", ", drain: 5m");
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dlogback.configurationFile=" + DrainTest.class.getResource("/logback-info.xml"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--config",
                        settings.toString()))
                .redirectErrorStream(true)
                .start();
    }

    private static URI address(BufferedReader output) throws IOException {
        StringBuilder said = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher matcher = LISTENS.matcher(line);
            if (matcher.find()) {
                return URI.create(matcher.group(1));
            }
            said.append(line).append('\n');
        }
        throw new AssertionError("it ended, saying " + said);
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
