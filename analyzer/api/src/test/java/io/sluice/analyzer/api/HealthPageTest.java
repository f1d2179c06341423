package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.settings.HttpSettings;
import io.sluice.testing.FreePort;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HealthPageTest {
    private final AtomicBoolean ready = new AtomicBoolean();

    @Test
    void anAnalyzerThatIsNotReadyIsAliveAllTheSame() throws Exception {
        try (HealthPage page = HealthPage.open(
                new HttpSettings("127.0.0.1", FreePort.next()),
                ready::get,
                () -> "",
                () -> "sluice_events_total 3\n")) {
            assertThat(status(page, "/livez")).isEqualTo(200);
            assertThat(status(page, "/readyz")).isEqualTo(503);
        }
    }

    @Test
    void anAnalyzerWithAllItsTasksIsReady() throws Exception {
        ready.set(true);
        try (HealthPage page = HealthPage.open(
                new HttpSettings("127.0.0.1", FreePort.next()),
                ready::get,
                () -> "",
                () -> "sluice_events_total 3\n")) {
            assertThat(status(page, "/readyz")).isEqualTo(200);
            assertThat(status(page, "/anything-else")).isEqualTo(404);
        }
    }

    @Test
    void readyz_detail_isTheSecondLine() throws Exception {
        ready.set(true);
        try (HealthPage page = HealthPage.open(
                new HttpSettings("127.0.0.1", FreePort.next()),
                ready::get,
                () -> "catching up: 300 s behind",
                () -> "")) {
            HttpRequest asked = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + page.port() + "/readyz"))
                    .build();

            HttpResponse<String> answer = HttpClient.newHttpClient().send(asked, HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("ok\ncatching up: 300 s behind\n");
        }
    }

    @Test
    void metricsComeAsPrometheusWantsThem() throws Exception {
        try (HealthPage page = HealthPage.open(
                new HttpSettings("127.0.0.1", FreePort.next()),
                ready::get,
                () -> "",
                () -> "sluice_events_total 3\n")) {
            HttpRequest scrape = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + page.port() + "/metrics"))
                    .build();
            HttpResponse<String> answer = HttpClient.newHttpClient().send(scrape, HttpResponse.BodyHandlers.ofString());

            assertThat(answer.headers().firstValue("Content-Type"))
                    .hasValue("text/plain; version=0.0.4; charset=utf-8");
            assertThat(answer.body()).isEqualTo("sluice_events_total 3\n");
        }
    }

    @Test
    void metrics_error_isAnsweredWith500() throws Exception {
        try (HealthPage page =
                HealthPage.open(new HttpSettings("127.0.0.1", FreePort.next()), ready::get, () -> "", () -> {
                    throw new NoClassDefFoundError("expected by this test");
                })) {
            HttpRequest scrape = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + page.port() + "/metrics"))
                    .timeout(Duration.ofMinutes(1))
                    .build();

            HttpResponse<String> answer = HttpClient.newHttpClient().send(scrape, HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(500);
            assertThat(answer.body()).contains("the request could not be answered");
        }
    }

    @Test
    void aPortInUseLeavesTheAnalyzerWithoutAPage() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                HealthPage page = HealthPage.open(
                        new HttpSettings("127.0.0.1", taken.getLocalPort()),
                        ready::get,
                        () -> "",
                        () -> "sluice_events_total 3\n")) {
            assertThat(page.port()).isZero();
        }
    }

    @Test
    void portZeroMeansNoPage() throws Exception {
        try (HealthPage page = HealthPage.open(
                new HttpSettings("127.0.0.1", 0), ready::get, () -> "", () -> "sluice_events_total 3\n")) {
            assertThat(page.port()).isZero();
        }
    }

    private static int status(HealthPage page, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + page.port() + path))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
