package io.sluice.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.http.server.HttpEndpoint;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusPagesTest {
    @Test
    void readyz_agentIsReadyButNotAtItsBest_saysWhyOnALineEach() throws Exception {
        StatusPages pages =
                new StatusPages(() -> true, () -> List.of("no such topic: [locks]", "two\nlines\r"), () -> "");
        try (HttpEndpoint endpoint = HttpEndpoint.open(
                "127.0.0.1",
                0,
                HttpEndpoint.Bounds.of(10),
                "test",
                (request, response, callback) -> pages.answer("/readyz", request, response, callback))) {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(endpoint.uri()).build(), HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("OK\nreason: no such topic: [locks]\nreason: two lines \n");
        }
    }
}
