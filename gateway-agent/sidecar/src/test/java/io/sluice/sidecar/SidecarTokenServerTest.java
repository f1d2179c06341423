package io.sluice.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.quota.QuotaAnswer;
import io.sluice.agent.quota.QuotaCharge;
import io.sluice.agent.quota.QuotaLimit;
import io.sluice.agent.quota.QuotaStrategy;
import io.sluice.contract.policy.LimitRule.Algorithm;
import io.sluice.quota.token.TokenServerProvider;
import io.sluice.testing.TestCertificate;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sidecars as token servers, and the strategy as their client. */
@Tag("server")
class SidecarTokenServerTest {
    private static final QuotaLimit TEN = new QuotaLimit("ten", "", Algorithm.TOKEN_BUCKET, 10, 86_400_000, 10);

    @TempDir
    Path folder;

    private Sidecar open(String name, String more) throws Exception {
        return Sidecars.open(Files.createDirectory(folder.resolve(name)), "policies: []", "", more);
    }

    private static QuotaStrategy client(Map<String, String> more, Sidecar... sidecars) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("timeout", "60s");
        settings.put(
                "servers",
                String.join(
                        ",",
                        List.of(sidecars).stream()
                                .map(sidecar -> "localhost:" + sidecar.grpcPort())
                                .toList()));
        return new TokenServerProvider().create(settings);
    }

    private static QuotaAnswer acquire(QuotaStrategy client, String subject, long permits) throws Exception {
        return client.acquire(List.of(new QuotaCharge(TEN, subject, subject, permits)))
                .toCompletableFuture()
                .get(2, TimeUnit.MINUTES);
    }

    @Tag("full")
    @Test
    void clientsShareALimit_overTwoSidecars() throws Exception {
        String on = ", token-server: true, token-server-start: full";
        try (Sidecar one = open("one", on);
                Sidecar two = open("two", on);
                QuotaStrategy first = client(Map.of(), one, two);
                QuotaStrategy second = client(Map.of(), two, one)) {
            for (int subject = 0; subject < 20; subject++) {
                assertThat(acquire(first, "[" + subject + "]", 6)).isEqualTo(QuotaAnswer.granted(0, 4));
                assertThat(acquire(second, "[" + subject + "]", 6).granted()).isFalse();
            }
            assertThat(metrics(one) + metrics(two)).isEqualTo(20);
        }
    }

    private static long metrics(Sidecar sidecar) throws Exception {
        String page = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(sidecar.http() + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        assertThat(page)
                .contains("sluice_token_server_requests_total", "sluice_token_server_evicted_total")
                .contains("sluice_token_server_rejoins_total");
        String value = page.lines()
                .filter(line -> line.startsWith("sluice_token_server_buckets "))
                .findFirst()
                .orElseThrow();
        return Math.round(Double.parseDouble(value.substring(value.indexOf(' '))));
    }

    @Test
    void policiesThatNameTheStrategy_shareOneLimitOverSidecars() throws Exception {
        String policies = """
                policies:
                  - { name: plans, per: [caller], limit: { rate: 6/h, burst: 3, scope: fleet, strategy: token-server } }
                """;
        try (Sidecar server = open("server", ", token-server: true, token-server-start: full")) {
            String agent = ", quota: { wait: 10s, token-server: { servers: \"localhost:%d\", timeout: 10s } }"
                    .formatted(server.grpcPort());
            try (Sidecar one = Sidecars.open(Files.createDirectory(folder.resolve("a")), policies, agent, "");
                    Sidecar two = Sidecars.open(Files.createDirectory(folder.resolve("b")), policies, agent, "")) {
                assertThat(List.of(check(one), check(two), check(one), check(two), check(one)))
                        .containsExactly(204, 204, 204, 429, 429);
            }
        }
    }

    private static int check(Sidecar sidecar) throws Exception {
        HttpRequest acme = HttpRequest.newBuilder(URI.create(sidecar.http() + "/check"))
                .header("X-Sluice-Caller", "acme")
                .build();
        return HttpClient.newHttpClient()
                .send(acme, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void startedSidecar_givesAChunk() throws Exception {
        try (Sidecar sidecar = open("one", ", token-server: true");
                QuotaStrategy client = client(Map.of(), sidecar)) {
            assertThat(acquire(client, "[]", 2).granted()).isFalse();
            assertThat(acquire(client, "[]", 1).granted()).isTrue();
        }
    }

    @Test
    void sidecar_isNoTokenServerByDefault() throws Exception {
        try (Sidecar sidecar = open("one", "");
                QuotaStrategy client = client(Map.of(), sidecar)) {
            assertThatThrownBy(() -> acquire(client, "[]", 1)).hasMessageContaining("UNIMPLEMENTED");
        }
    }

    @Test
    void tls_needsTheClientsCertificate() throws Exception {
        TestCertificate certificate = TestCertificate.create(folder, "sidecar");
        TestCertificate own = TestCertificate.create(folder, "client");
        String tls = ", token-server: true, tls: { certificate: \"%s\", key: \"%s\", client-ca: \"%s\" }"
                .formatted(certificate.certificate(), certificate.key(), own.certificate());
        Map<String, String> trusting =
                Map.of("tls", "true", "ca", certificate.certificate().toString());
        Map<String, String> known = new HashMap<>(trusting);
        known.put("certificate", own.certificate().toString());
        known.put("key", own.key().toString());
        try (Sidecar sidecar = open("tls", tls);
                QuotaStrategy client = client(known, sidecar);
                QuotaStrategy unknown = client(trusting, sidecar);
                QuotaStrategy plain = client(Map.of(), sidecar)) {
            assertThat(acquire(client, "[]", 1).granted()).isTrue();
            assertThatThrownBy(() -> acquire(unknown, "[]", 1)).hasMessageContaining("UNAVAILABLE");
            assertThatThrownBy(() -> acquire(plain, "[]", 1)).hasMessageContaining("UNAVAILABLE");
        }
    }
}
