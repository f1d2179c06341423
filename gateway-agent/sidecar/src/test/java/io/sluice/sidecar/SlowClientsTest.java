package io.sluice.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
class SlowClientsTest {
    private static final int PLACES = 16;
    /** HTTP/2's preface and an empty settings frame: a client that has sent both is not closed for its silence. */
    private static final String HELLO = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0";

    private final List<Socket> slow = new ArrayList<>();

    @TempDir
    Path folder;

    private Sidecar sidecar;

    @BeforeEach
    void open() throws Exception {
        sidecar = Sidecars.open(folder, "policies: []", "", ", connections: " + PLACES);
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : slow) {
            socket.close();
        }
        sidecar.close();
    }

    @Tag("full")
    @Test
    void givenMoreSlowClientsThanPlacesWhenSomebodyElseAsksThenItIsAnsweredEveryTime() throws Exception {
        for (int i = 0; i < 3 * PLACES; i++) {
            begins(sidecar.http().getPort(), "GET /check HTTP/1.1\r\nHost: x\r\nX-Sluice-Caller: a");
        }

        for (int i = 0; i < 20; i++) {
            // a client, and so a connection, of its own each time
            assertThat(HttpClient.newHttpClient()
                            .send(
                                    HttpRequest.newBuilder(URI.create(sidecar.http() + "/check"))
                                            .header("X-Sluice-Caller", "acme")
                                            .timeout(Duration.ofMinutes(2))
                                            .build(),
                                    BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(204);
        }
    }

    @Tag("full")
    @Test
    void givenAClientWhoseRequestDribblesInWhenItsTimeIsUpThenItsConnectionIsClosed() throws Exception {
        Socket header = begins(sidecar.http().getPort(), "GET /check HTTP/1.1\r\nHost: x\r\nX-Sluice-Caller: a");
        Socket body =
                begins(sidecar.http().getPort(), "POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{");

        dribblesUntilClosed(header);
        dribblesUntilClosed(body);
    }

    @Tag("full")
    @Test
    void givenAGrpcClientThatNeverSpeaksWhenItsTimeIsUpThenItsConnectionIsClosed() throws Exception {
        Socket mute = begins(sidecar.grpcPort(), "");

        // the server's own settings, and then the end
        assertThat(mute.getInputStream().readAllBytes()).isNotEmpty();
    }

    @Test
    void givenAllGrpcPlacesTakenWhenOneMoreComesThenItIsClosedAtOnceAndAPlaceThatIsLeftIsFree() throws Exception {
        for (int i = 0; i < PLACES; i++) {
            begins(sidecar.grpcPort(), HELLO);
            assertThat(slow.get(i).getInputStream().read())
                    .as("settings frame of %s", i)
                    .isZero();
        }

        assertThat(ended(begins(sidecar.grpcPort(), ""))).isTrue();

        slow.get(0).close();
        await().untilAsserted(() -> assertThat(
                        begins(sidecar.grpcPort(), "").getInputStream().read())
                .isZero());
    }

    private Socket begins(int port, String text) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(120_000);
        slow.add(socket);
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static void dribblesUntilClosed(Socket socket) {
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    try {
                        socket.getOutputStream().write('a');
                        return false;
                    } catch (IOException closed) {
                        return true;
                    }
                });
    }

    private static boolean ended(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException reset) {
            return true;
        }
    }
}
