package io.sluice.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Raw bytes on real sockets. */
@Tag("server")
class HostileClientsTest {
    private static final int PLACES = 50;
    private static final byte[] LARGE = new byte[8 << 20];

    private final AtomicReference<HttpFields> headers = new AtomicReference<>();
    private final List<Socket> sockets = new ArrayList<>();
    private HttpEndpoint endpoint;

    @BeforeEach
    void serve() throws IOException {
        endpoint = HttpEndpoint.open(
                "127.0.0.1", 0, HttpEndpoint.Bounds.of(PLACES), "test", (request, response, callback) -> {
                    headers.set(request.getHeaders());
                    byte[] body = "/large".equals(request.getHttpURI().getPath()) ? LARGE : new byte[] {'o', 'k'};
                    Responses.write(response, callback, 200, "text/plain", body);
                });
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        endpoint.close();
    }

    private Socket connect(String sent) throws IOException {
        Socket socket = new Socket(endpoint.uri().getHost(), endpoint.uri().getPort());
        sockets.add(socket);
        socket.setSoTimeout(120_000);
        socket.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    private String firstLine(String sent) throws IOException {
        InputStream in = connect(sent).getInputStream();
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\r'; c = in.read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    @Test
    void wellFormedMessage_isAnswered() throws Exception {
        assertThat(firstLine("GET / HTTP/1.1\r\nHost: a\r\n\r\n")).isEqualTo("HTTP/1.1 200 OK");
    }

    /** Each of them is read in two ways by different servers. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: a\nX-Sluice-Caller: evil\r\n\r\n",
                "GET / HTTP/1.1\nHost: a\n\n",
                "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: localhost:80@evil\r\n\r\n",
                "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\r\n folded\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX-A: a\rb\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX-A: a\u0000b\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na",
                "GET http://evil.example/ HTTP/1.1\r\nHost: a\r\n\r\n"
            })
    void messageThatServersReadDifferently_isRefusedAndNoHandlerSeesIt(String message) throws Exception {
        assertThat(firstLine(message)).startsWith("HTTP/1.1 400");
        assertThat(headers.get()).isNull();
    }

    @Tag("full")
    @Test
    void manyIdleAndUnreadConnections_aProbeIsAnsweredAllTheSame() throws Exception {
        for (int i = 0; i < 6 * PLACES; i++) {
            connect("GET / HTTP/1.1\r\nHost: a\r\n");
        }
        for (int i = 0; i < 40; i++) {
            connect("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
        }
        for (int i = 0; i < 20; i++) {
            HttpResponse<String> probe = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(endpoint.uri().resolve("/livez"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());

            assertThat(probe.statusCode()).isEqualTo(200);
        }
    }
}
