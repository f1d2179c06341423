package io.sluice.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections of the demo's gateway, which runs in a process of its own: the JDK's server has its settings for a whole JVM. */
@Tag("server")
class GatewayConnectionsTest {
    private static final String LISTENS = " listens on ";
    /** As many as the traffic opens when answers take seconds. */
    private static final int CONNECTIONS = 400;

    @TempDir
    Path folder;

    @Test
    void manyIdleConnections_areKept_soThatNoRequestOnOneIsLost() throws Exception {
        List<Socket> connections = new ArrayList<>();
        try (SluiceProcess gateway = SluiceProcess.start(
                "gateway",
                List.of("demo", "gateway", "--port", "0", "--bootstrap", "127.0.0.1:1"),
                Map.of("SLUICE_AGENT_SERVICE", "orders"),
                folder)) {
            await().untilAsserted(() ->
                    assertThat(gateway.after(LISTENS)).as("%s", gateway).isNotEmpty());
            URI at = URI.create(gateway.after(LISTENS));
            for (int i = 0; i < CONNECTIONS; i++) {
                Socket connection = new Socket(at.getHost(), at.getPort());
                connection.setSoTimeout(120_000);
                connections.add(connection);
            }

            // all of them are idle before the first one is used again
            for (int round = 0; round < 2; round++) {
                for (Socket connection : connections) {
                    assertThat(status(connection)).as("round %d", round).isEqualTo("HTTP/1.1 200 OK");
                }
            }
        } finally {
            for (Socket connection : connections) {
                connection.close();
            }
        }
    }

    /** The status line of an answer without a body. */
    private static String status(Socket connection) throws IOException {
        connection
                .getOutputStream()
                .write("HEAD /health HTTP/1.1\r\nHost: gateway\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = connection.getInputStream().read();
            if (next < 0) {
                return "closed after: " + head;
            }
            head.append((char) next);
        }
        return head.substring(0, head.indexOf("\r\n"));
    }
}
