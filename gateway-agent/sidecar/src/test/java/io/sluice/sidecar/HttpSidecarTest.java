package io.sluice.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("server")
class HttpSidecarTest {
    private static final String POLICIES = """
            policies:
              - { name: plans, per: [caller], match: { caller: "planned-*" }, limit: { rate: 6/h, burst: 2 } }
              - { name: writers, per: [caller], match: { method: POST, route: "/orders/{id}" }, limit: { rate: 6/h, burst: 2 } }
              - { name: paced, per: [caller], match: { caller: "paced-*" }, limit: { algorithm: leaky-bucket, rate: 2/s, maxWait: 2s } }
              - { name: slow, per: [caller], match: { caller: "slow-*" }, limit: { algorithm: leaky-bucket, rate: 1/m, maxWait: 1m } }
              - { name: tokens, per: [caller], measure: cost, match: { caller: "tokens-*" }, limit: { rate: 60/h, burst: 1000 } }
            """;

    private static Sidecar sidecar;

    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void open(@TempDir Path folder) throws Exception {
        sidecar = Sidecars.open(folder, POLICIES);
    }

    @AfterAll
    static void close() {
        sidecar.close();
    }

    @Test
    void givenALimitOfTwoWhenAskedThreeTimesThenTheThirdIsRejectedAsByAnyOtherDoor() throws Exception {
        HttpResponse<String> first = check("planned-acme");
        check("planned-acme");
        HttpResponse<String> third = check("planned-acme");
        HttpResponse<String> neighbour = check("planned-globex");

        assertThat(first.statusCode()).isEqualTo(204);
        assertThat(first.headers().firstValue("RateLimit-Policy")).hasValue("\"plans\";q=2;w=1200");
        assertThat(first.headers().firstValue("RateLimit").orElse("")).startsWith("\"plans\";r=1;t=");
        assertThat(third.statusCode()).isEqualTo(429);
        assertThat(third.headers().firstValueAsLong("Retry-After").orElse(0)).isBetween(300L, 660L);
        assertThat(third.headers().firstValue("RateLimit").orElse("")).startsWith("\"plans\";r=0;t=");
        assertThat(third.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(third.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(third.body())
                .contains("quota-exceeded", "\"status\":429", "\"violated-policies\":[\"plans\"]")
                .doesNotContain("acme");
        assertThat(neighbour.statusCode()).isEqualTo(204);
    }

    @Tag("full")
    @Test
    void givenAnotherRejectStatusWhenRejectedThenItIsThatInStatusAndBody(@TempDir Path folder) throws Exception {
        try (Sidecar forbids = Sidecars.open(folder, POLICIES, "", ", reject-status: 403")) {
            URI check = forbids.http().resolve("/check");
            ask(check, "planned-1");
            ask(check, "planned-1");

            HttpResponse<String> third = ask(check, "planned-1");

            assertThat(third.statusCode()).isEqualTo(403);
            assertThat(third.body()).contains("\"status\":403");
            assertThat(third.headers().firstValue("Retry-After")).isPresent();
        }
    }

    @Tag("full")
    @Test
    void givenChecksWhenScrapedThenTheyAreCountedAndNoCallerIsNamed(@TempDir Path folder) throws Exception {
        try (Sidecar scraped = Sidecars.open(folder, POLICIES)) {
            URI check = scraped.http().resolve("/check");
            ask(check, "planned-secret");
            ask(check, "planned-secret");
            ask(check, "planned-secret");

            HttpResponse<String> page = client.send(
                    HttpRequest.newBuilder(scraped.http().resolve("/metrics")).build(), BodyHandlers.ofString());

            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
            assertThat(page.body())
                    .contains(
                            "sluice_gate_checks_total{outcome=\"allowed\",service=\"orders\"} 2.0",
                            "sluice_gate_checks_total{outcome=\"limited\",service=\"orders\"} 1.0",
                            "sluice_gate_freshness{service=\"orders\",state=\"cold\"} 1.0",
                            "jvm_memory_used_bytes{")
                    .doesNotContain("planned-secret");
        }
    }

    @Test
    void givenEnvoysWayOfAskingWhenAskedThenPathAndMethodAreTheRequestsOwn() throws Exception {
        int[] statuses = IntStream.range(0, 3)
                .map(i -> status(request("/envoy/orders/47" + i + "?x=%2F..%2Fcheck")
                        .method("POST", BodyPublishers.noBody())
                        .header("X-Forwarded-For", "203.0.113.9")))
                .toArray();
        int other = status(request("/envoy/orders/4711").header("X-Forwarded-For", "203.0.113.9"));
        int strange = status(request("/envoy/a%2Fb/..%2f%2e%2e//;x=1")
                .method("PURGE", BodyPublishers.noBody())
                .header("X-Forwarded-For", "203.0.113.9"));

        assertThat(statuses).containsExactly(200, 200, 429);
        assertThat(other).isEqualTo(200);
        assertThat(strange).isEqualTo(200);
    }

    @Test
    void givenARateLimitRequestAsJsonWhenAskedThenItIsAnsweredAsEnvoyproxysServiceDoes() throws Exception {
        String acme = """
                {"domain":"orders","descriptors":[{"entries":[{"key":"caller","value":"planned-json"}]}]}""";

        HttpResponse<String> first = json(acme);
        json(acme);
        HttpResponse<String> third = json(acme);

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body())
                .startsWith("{\"overallCode\":\"OK\",\"statuses\":[{\"code\":\"OK\"")
                .contains("\"currentLimit\":{\"requestsPerUnit\":6,\"unit\":\"HOUR\",\"name\":\"plans\"}")
                .contains("\"limitRemaining\":1");
        assertThat(third.statusCode()).isEqualTo(429);
        assertThat(third.body())
                .startsWith("{\"overallCode\":\"OVER_LIMIT\"")
                .contains("\"durationUntilReset\":\"", "\"key\":\"Retry-After\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "[]",
                "{\"domain\":",
                "{\"dommain\":\"orders\"}",
                "{\"domain\":\"orders\",\"descriptors\":[]}",
                "{\"domain\":\"orders\",\"descriptors\":[{\"entries\":[{\"key\":\"plan\",\"value\":\"gold\"}]}]}"
            })
    void givenAWrongBodyWhenAskedThenThatIsSaid(String body) throws Exception {
        HttpResponse<String> answer = json(body);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("\"title\":\"").doesNotContain("nonsense", "dommain");
    }

    @ParameterizedTest
    @CsvSource({"65537, false", "65537, true", "1000000, false", "1000000, true"})
    void givenALongBodyWhenItHasComeInThenItIsRefused(int length, boolean chunked) throws Exception {
        byte[] body = new byte[length];

        HttpRequest.BodyPublisher publisher =
                chunked ? BodyPublishers.ofByteArrays(List.of(body)) : BodyPublishers.ofByteArray(body);

        assertThat(status(request("/json").POST(publisher))).isEqualTo(413);
    }

    @Test
    void givenABodyThatNeverEndsWhenItIsTooLongThenItIsRefusedAndTheConnectionEnds() throws Exception {
        URI at = sidecar.http();
        byte[] chunk = ("10000\r\n" + "x".repeat(1 << 16) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        try (Socket connection = new Socket(at.getHost(), at.getPort())) {
            OutputStream out = connection.getOutputStream();
            out.write("POST /json HTTP/1.1\r\nHost: sidecar\r\nTransfer-Encoding: chunked\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));

            assertThatThrownBy(() -> {
                        while (true) {
                            out.write(chunk);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({"15000, 204", "17000, 431"})
    void givenHeadersWhenTheyAreTooLongThenTheyAreRefused(int length, int status) throws Exception {
        assertThat(status(request("/check").header("X-Sluice-Caller", "acme").header("X-Long", "x".repeat(length))))
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /check, 400", "PUT, /check, 405", "GET, /json, 405", "POST, /livez, 405", "GET, /, 404",
        "GET, /checks, 404", "GET, /check/, 404", "GET, /envoy, 404", "GET, /livez, 200", "HEAD, /livez, 200"
    })
    void givenAPathAndAMethodWhenAskedThenOnlyWhatIsThereAnswers(String method, String path, int status)
            throws Exception {
        assertThat(status(request(path).method(method, BodyPublishers.noBody())))
                .isEqualTo(status);
    }

    @Test
    void givenNoKafkaWhenAskedForHealthThenItLivesAndIsNotReady() throws Exception {
        assertThat(status(request("/livez"))).isEqualTo(200);
        assertThat(status(request("/readyz"))).isEqualTo(503);
        assertThat(status(request("/healthcheck"))).isEqualTo(503);
        assertThat(client.send(request("/readyz").build(), BodyHandlers.ofString())
                        .body())
                .startsWith("not ready\n")
                .contains("reason: the decision topics have not been read to the end yet\n");
    }

    @Test
    void givenALeakyBucketWhenAskedThenTheAnswerComesInItsTurn() throws Exception {
        long start = System.nanoTime();

        check("paced-acme");
        HttpResponse<String> second = check("paced-acme");

        assertThat(second.statusCode()).isEqualTo(204);
        assertThat(System.nanoTime() - start).isGreaterThan(490_000_000L);
    }

    @Test
    void givenALeakyBucketWhenOneWaitsForItsTurnThenNobodyElseWaits() throws Exception {
        Neighbour neighbour = askBesideHeld(0);
        // on a machine that stands still the turn may have come before the neighbour asks
        for (int round = 1; !neighbour.beforeTheTurn; round++) {
            neighbour = askBesideHeld(round);
        }

        assertThat(neighbour.answer.statusCode()).isEqualTo(204);
        assertThat(neighbour.heldMeanwhile).isTrue();
    }

    private record Neighbour(HttpResponse<String> answer, boolean heldMeanwhile, boolean beforeTheTurn) {}

    /** Asks while another caller's check waits for its turn, which comes a minute after its first one: no policy lets it wait longer. */
    private Neighbour askBesideHeld(int round) throws Exception {
        long before = Sidecars.checks(sidecar, "allowed");
        long begun = System.nanoTime();
        check("slow-acme-" + round);
        var held = client.sendAsync(
                checkOf(sidecar.http().resolve("/check"), "slow-acme-" + round).build(), BodyHandlers.ofString());
        await("both checks, of which one is held").until(() -> Sidecars.checks(sidecar, "allowed") == before + 2);
        HttpResponse<String> neighbour = check("slow-globex-" + round);
        boolean heldMeanwhile = !held.isDone();
        held.cancel(true);
        return new Neighbour(neighbour, heldMeanwhile, System.nanoTime() - begun < TimeUnit.MINUTES.toNanos(1));
    }

    /** A proxy that passes on a client's Content-Length but not its body would have the next request's first bytes read as that body. */
    @ParameterizedTest
    @ValueSource(strings = {"/check", "/envoy/orders", "/livez"})
    void givenACheckThatAnnouncesABodyWhenAnsweredThenItsConnectionIsClosed(String path) throws Exception {
        String check = "GET " + path + " HTTP/1.1\r\nHost: sidecar\r\nX-Sluice-Caller: acme\r\n";
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), sidecar.http().getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write((check + "Content-Length: 5\r\n\r\n" + check + "\r\n").getBytes(StandardCharsets.US_ASCII));

            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

            assertThat(answers).startsWith("HTTP/1.1 20").contains("\r\nConnection: close\r\n");
            assertThat(answers.split("HTTP/1.1 ")).hasSize(2);
        }
    }

    @Test
    void givenACostWhenAskedThenAllOfItIsTakenOrNone() throws Exception {
        String json = """
                {"domain":"orders","hitsAddend":300,
                 "descriptors":[{"entries":[{"key":"caller","value":"tokens-acme"}]}]}""";
        HttpRequest.Builder sixHundred =
                checkOf(sidecar.http().resolve("/check"), "tokens-acme").header("X-Sluice-Cost", "600");

        HttpResponse<String> first = client.send(sixHundred.build(), BodyHandlers.ofString());
        HttpResponse<String> second = client.send(sixHundred.build(), BodyHandlers.ofString());
        HttpResponse<String> third = json(json);
        HttpResponse<String> fourth = json(json);

        assertThat(first.statusCode()).isEqualTo(204);
        assertThat(first.headers().firstValue("RateLimit")).hasValue("\"tokens\";r=400;t=36000");
        assertThat(second.statusCode()).isEqualTo(429);
        assertThat(third.body()).contains("\"limitRemaining\":10");
        assertThat(fourth.statusCode()).isEqualTo(429);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "much", "1000000000000000000000"})
    void givenACostThatIsNoneWhenAskedThenTheRequestIsRefusedWithTheReason(String cost) throws Exception {
        HttpRequest.Builder check =
                checkOf(sidecar.http().resolve("/check"), "tokens-bolt").header("X-Sluice-Cost", cost);

        HttpResponse<String> answer = client.send(check.build(), BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("X-Sluice-Cost must be a whole number from 0 to ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "\"much\"", "4294967296", "1e300"})
    void givenHitsThatAreNoneWhenAskedInJsonThenTheRequestIsRefusedWithTheReason(String hits) throws Exception {
        HttpResponse<String> answer = json("""
                {"domain":"orders","hitsAddend":%s,"descriptors":[{"entries":[{"key":"caller","value":"tokens-bolt"}]}]}""".formatted(hits));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("hitsAddend is a whole number from 0 to 4294967295");
    }

    @Test
    void givenTheMostHitsWhenAskedInJsonThenTheyAreTooManyAndCostNothing() throws Exception {
        String hits = """
                {"domain":"orders","hitsAddend":%s,"descriptors":[{"entries":[{"key":"caller","value":"tokens-most"}]}]}""";

        assertThat(json(hits.formatted(4_294_967_295L)).statusCode()).isEqualTo(429);
        assertThat(json(hits.formatted(0)).body()).contains("\"limitRemaining\":999");
    }

    private HttpResponse<String> check(String caller) throws Exception {
        return ask(sidecar.http().resolve("/check"), caller);
    }

    private HttpResponse<String> ask(URI check, String caller) throws Exception {
        return client.send(checkOf(check, caller).build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder checkOf(URI check, String caller) {
        return HttpRequest.newBuilder(check)
                .header("X-Sluice-Caller", caller)
                .header("X-Original-URI", "/orders/1")
                .header("X-Original-Method", "GET");
    }

    private HttpResponse<String> json(String body) throws Exception {
        return client.send(request("/json").POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(sidecar.http() + path)).version(HttpClient.Version.HTTP_1_1);
    }

    private int status(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString()).statusCode();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
