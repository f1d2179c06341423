package io.sluice.examples.nginx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import io.sluice.neighbours.Crowd;
import io.sluice.neighbours.Neighbourhood;
import io.sluice.testing.FreePort;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("server")
class NginxTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String LIMIT = """
            policies:
              - { name: plans, per: [caller, route], match: { caller: acme }, limit: { rate: 6/h, burst: 2 } }
            """;

    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer app;

    @TempDir
    Path folder;

    @TempDir
    Path nginxFolder;

    @BeforeAll
    static void nginxIsThere() {
        Nginx.isThere();
    }

    @BeforeEach
    void startTheApp() throws IOException {
        app = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        app.createContext("/", exchange -> {
            byte[] body = (exchange.getRequestMethod() + " "
                            + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8))
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(
                    exchange.getRequestURI().getPath().equals("/forbidden") ? 403 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        app.start();
    }

    @AfterEach
    void stopTheApp() {
        app.stop(0);
    }

    @Test
    void givenRealNginxWhenOneCallerCrowdsThenTheAnalyzerLocksItAndItsNeighboursPass() throws Exception {
        try (Neighbourhood neighbourhood = Neighbourhood.open(folder);
                SidecarProcess sidecar =
                        SidecarProcess.start(0, Map.of("SLUICE_KAFKA_BOOTSTRAP_SERVERS", neighbourhood.bootstrap()));
                Nginx nginx = nginx("fail-open.conf", sidecar)) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    get(sidecar.http().resolve("/readyz"), "").statusCode())
                            .isEqualTo(200));

            Crowd.Told told = Crowd.ask(
                    caller -> {
                        HttpResponse<String> response = get(nginx.uri().resolve("/orders/1"), caller);
                        if (response.statusCode() == 429) {
                            assertThat(response.headers()
                                            .firstValueAsLong("Retry-After")
                                            .orElse(0))
                                    .isPositive();
                            assertThat(response.headers().firstValue("Cache-Control"))
                                    .hasValue("no-store");
                            return false;
                        }
                        assertThat(response.statusCode()).isEqualTo(200);
                        return true;
                    },
                    PATIENCE);

            assertThat(told.noisyAllowed()).isGreaterThan(Neighbourhood.ABOVE);
            assertThat(told.noisyRejected()).isPositive();
            assertThat(told.neighboursAllowed()).isPositive();
            assertThat(told.neighboursRejected()).isZero();
        }
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"fail-open.conf", "fail-closed.conf"})
    void givenALimitWhenItIsUsedUpThenTheClientGets429WithTheFieldsAndNothingElseIsTouched(String recipe)
            throws Exception {
        try (SidecarProcess sidecar = SidecarProcess.start(0, limited());
                Nginx nginx = Nginx.patient(
                        nginxFolder, recipe, sidecar.http(), app.getAddress().getPort())) {
            HttpResponse<String> rejected = rejected(nginx, "/orders");

            assertThat(rejected.headers().firstValue("RateLimit-Policy")).hasValue("\"plans\";q=2;w=1200");
            assertThat(rejected.headers().firstValue("RateLimit").orElse("")).startsWith("\"plans\";r=0;t=");
            assertThat(rejected.headers().firstValueAsLong("Retry-After").orElse(0))
                    .isPositive();
            assertThat(rejected.headers().firstValue("Content-Type")).hasValue("application/problem+json");
            assertThat(rejected.body()).contains("\"status\":429");
            // a 403 of the application is its own, and a body goes through
            assertThat(get(nginx.uri().resolve("/forbidden"), "globex").statusCode())
                    .isEqualTo(403);
            HttpResponse<String> posted = client.send(
                    HttpRequest.newBuilder(nginx.uri())
                            .header("X-Api-Key", "key-globex")
                            .POST(BodyPublishers.ofString("hello"))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(posted.body()).isEqualTo("POST hello");
            // a name that a client gives itself is not believed
            HttpResponse<String> forged = client.send(
                    HttpRequest.newBuilder(nginx.uri().resolve("/orders"))
                            .header("X-Sluice-Caller", "acme")
                            .build(),
                    BodyHandlers.ofString());
            assertThat(forged.statusCode()).as(nginx::log).isEqualTo(200);
        }
    }

    /** A Content-Length without its body would have the sidecar take the start of the next check for that body. */
    @Test
    void givenARequestWithABodyWhenCheckedThenTheCheckAnnouncesNone() throws Exception {
        HttpServer sidecar = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        List<Headers> checks = new CopyOnWriteArrayList<>();
        sidecar.createContext("/check", exchange -> {
            checks.add(exchange.getRequestHeaders());
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        sidecar.start();
        URI address = URI.create("http://127.0.0.1:" + sidecar.getAddress().getPort());
        try (Nginx nginx = Nginx.patient(
                nginxFolder, "fail-closed.conf", address, app.getAddress().getPort())) {
            HttpRequest.Builder post = HttpRequest.newBuilder(nginx.uri());
            assertThat(client.send(post.POST(BodyPublishers.ofString("hello")).build(), BodyHandlers.ofString())
                            .body())
                    .isEqualTo("POST hello");
            assertThat(client.send(
                                    post.POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(
                                                    "chunks".getBytes(StandardCharsets.UTF_8))))
                                            .build(),
                                    BodyHandlers.ofString())
                            .body())
                    .isEqualTo("POST chunks");

            assertThat(checks)
                    .hasSize(2)
                    .allSatisfy(headers -> assertThat(headers)
                            .containsKey("X-original-method")
                            .doesNotContainKeys("Content-length", "Transfer-encoding"));
        } finally {
            sidecar.stop(0);
        }
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"fail-open.conf, 200", "fail-closed.conf, 503"})
    void givenTheSidecarKilledWhenAskedThenNginxAnswersAsItsRecipeSaysUntilItIsBack(String recipe, int status)
            throws Exception {
        // reserved while nothing listens on it
        try (SidecarProcess sidecar = SidecarProcess.start(FreePort.next(), limited());
                Nginx nginx = nginx(recipe, sidecar)) {
            rejected(nginx, "/before");

            sidecar.kill();
            for (int i = 0; i < 5; i++) {
                assertThat(get(nginx.uri().resolve("/before"), "acme").statusCode())
                        .isEqualTo(status);
            }

            try (SidecarProcess again = SidecarProcess.start(sidecar.http().getPort(), limited())) {
                assertThat(again.http()).isEqualTo(sidecar.http());
                rejected(nginx, "/after");
            }
        }
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"fail-open.conf, 200", "fail-closed.conf, 503"})
    void givenTheSidecarFrozenWhenAskedThenNginxWaitsNoLongerThanItsTimeoutAndAnswersAsItsRecipeSays(
            String recipe, int status) throws Exception {
        try (SidecarProcess sidecar = SidecarProcess.start(0, limited());
                Nginx nginx = nginx(recipe, sidecar)) {
            rejected(nginx, "/before");

            sidecar.freeze();
            for (int i = 0; i < 5; i++) {
                // far beyond nginx's 100 ms, far below its usual minute
                assertThat(get(nginx.uri().resolve("/before"), "acme").statusCode())
                        .isEqualTo(status);
            }
            sidecar.thaw();

            rejected(nginx, "/after");
        }
    }

    private Nginx nginx(String recipe, SidecarProcess sidecar) throws IOException {
        return Nginx.start(nginxFolder, recipe, sidecar.http(), app.getAddress().getPort());
    }

    private Map<String, String> limited() throws IOException {
        Path policies = Files.writeString(folder.resolve("policies.yml"), LIMIT);
        return Map.of("SLUICE_KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:1", "SLUICE_AGENT_POLICIES", policies.toString());
    }

    /** Asks until the limit is used up: a busy machine may take longer than nginx waits, and then a check does not count. */
    private HttpResponse<String> rejected(Nginx nginx, String path) {
        return await().atMost(PATIENCE)
                .until(() -> get(nginx.uri().resolve(path), "acme"), response -> response.statusCode() == 429);
    }

    private HttpResponse<String> get(URI uri, String caller) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("X-Api-Key", "key-" + caller)
                .timeout(PATIENCE)
                .build();
        return client.send(request, BodyHandlers.ofString());
    }
}
