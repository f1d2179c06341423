package io.sluice.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HttpEndpointTest {
    @Tag("full")
    @Test
    void givenARequestThatIsNeverAnsweredWhenToldToStopThenItsClientIsCutOffAndThatIsAnEnd() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        HttpEndpoint endpoint = HttpEndpoint.open(
                "127.0.0.1", 0, HttpEndpoint.Bounds.of(10), "test", (request, response, callback) -> asked.countDown());
        try (Socket client =
                new Socket(InetAddress.getLoopbackAddress(), endpoint.uri().getPort())) {
            client.setSoTimeout(120_000);
            client.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(asked.await(2, TimeUnit.MINUTES)).isTrue();

            assertThatCode(endpoint::close).doesNotThrowAnyException();

            assertThat(client.getInputStream().readAllBytes()).isEmpty();
        }
    }
}
