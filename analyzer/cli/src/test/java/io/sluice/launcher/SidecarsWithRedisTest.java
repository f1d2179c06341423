package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.GateAgent;
import io.sluice.agent.Request;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.policy.PolicySet;
import io.sluice.quota.redis.RedisQuotaProvider;
import io.sluice.settings.PolicyFile;
import io.sluice.settings.SluiceSettings;
import io.sluice.sidecar.Sidecar;
import io.sluice.testing.RedisServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two sidecars and one real Redis: a tenant's tokens under its organisation's under everything. */
@Tag("server")
class SidecarsWithRedisTest {
    private static final String POLICIES = """
            policies:
              - { name: all, per: [], measure: cost,
                  limit: { rate: 1/h, burst: 1500, scope: fleet, strategy: redis } }
              - { name: organisations, per: [labels.org], measure: cost,
                  limit: { rate: 1/h, burst: 1000, scope: fleet, strategy: redis, under: all } }
              - { name: tenants, per: [caller, labels.org], measure: cost,
                  limit: { rate: 1/h, burst: 600, scope: fleet, strategy: redis, under: organisations } }
            """;

    private static final int MOST_ROUNDS = 10;

    @TempDir
    Path folder;

    private RedisServer redis;
    private Sidecar one;
    private Sidecar other;

    @BeforeEach
    void start() throws Exception {
        redis = RedisServer.start();
        one = open("one");
        other = open("other");
    }

    @AfterEach
    void stop() throws Exception {
        if (redis != null) {
            one.close();
            other.close();
            redis.close();
        }
    }

    private Sidecar open(String name) throws Exception {
        Path policies = Files.writeString(folder.resolve(name + "-policies.yml"), POLICIES);
        Path settings = Files.writeString(folder.resolve(name + ".yml"), """
                kafka: { bootstrap.servers: "127.0.0.1:1" }
                agent: { service: chat, policies: "%s", quota: { wait: 10s, redis: { url: "%s", timeout: 60s } } }
                sidecar: { http: "127.0.0.1:0", grpc: "127.0.0.1:0" }
                """.formatted(policies, redis.url()));
        return Sidecar.open(SluiceSettings.read(settings, Map.of()));
    }

    private static HttpResponse<String> take(Sidecar sidecar, String tenant, String organisation, int tokens)
            throws Exception {
        String body = """
                {"domain":"chat","hitsAddend":%d,"descriptors":[{"entries":[
                  {"key":"caller","value":"%s"},{"key":"org","value":"%s"}]}]}""".formatted(tokens, tenant, organisation);
        HttpRequest request = HttpRequest.newBuilder(URI.create(sidecar.http() + "/json"))
                .POST(BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    private interface Scenario {
        /** Returns how many requests of its agents were decided without the store. */
        long run() throws Exception;
    }

    /** Runs it with a new store until all of it was counted there: on a machine that stands still for longer than a check waits, shares decide. */
    private void counted(Scenario scenario) throws Exception {
        for (int round = 1; ; round++) {
            try {
                if (scenario.run() + withoutStore(one) + withoutStore(other) == 0) {
                    return;
                }
            } catch (AssertionError | ConditionTimeoutException e) {
                if (withoutStore(one) + withoutStore(other) == 0) {
                    throw e;
                }
            }
            assertThat(round).as("rounds in which checks waited in vain").isLessThan(MOST_ROUNDS);
            stop();
            start();
        }
    }

    private static long withoutStore(Sidecar sidecar) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(sidecar.http() + "/metrics")).build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body()
                .lines()
                .filter(line ->
                        line.matches("sluice_gate_quota_requests_total\\{.*outcome=\"(failed|timed-out|degraded)\".*"))
                .mapToLong(line -> Math.round(Double.parseDouble(line.substring(line.lastIndexOf(' ')))))
                .sum();
    }

    @Test
    @Tag("full")
    void hitsAddend_isTakenOfAllThreeLevels_orOfNone() throws Exception {
        counted(this::hitsAddend);
    }

    private long hitsAddend() throws Exception {
        assertThat(take(one, "ann", "acme", 500).statusCode()).isEqualTo(200);
        assertThat(take(other, "ann", "acme", 101).statusCode())
                .as("the tenant has 100 left")
                .isEqualTo(429);
        assertThat(take(other, "bob", "acme", 501).statusCode())
                .as("the organisation has 500")
                .isEqualTo(429);
        assertThat(take(one, "bob", "acme", 500).statusCode())
                .as("nothing was taken")
                .isEqualTo(200);
        assertThat(take(other, "eve", "bolt", 501).statusCode())
                .as("everything has 500")
                .isEqualTo(429);
        assertThat(take(other, "eve", "bolt", 500).statusCode())
                .as("nothing was taken")
                .isEqualTo(200);
        assertThat(take(one, "zoe", "cargo", 1).statusCode())
                .as("everything is used up")
                .isEqualTo(429);
        return 0;
    }

    @Tag("full")
    @Test
    void settlementOfAnAgent_returnsToAllThreeLevelsOfTheSidecars() throws Exception {
        counted(this::settlement);
    }

    private long settlement() throws Exception {
        PolicySet policies = PolicyFile.read(Files.writeString(folder.resolve("policies.yml"), POLICIES));
        try (GateAgent agent = GateAgent.builder()
                .bootstrap("127.0.0.1:1")
                .service("chat")
                .policies(policies)
                .quotaStrategy(new RedisQuotaProvider().create(Map.of("url", redis.url(), "timeout", "60s")))
                .quotaWait(Duration.ofSeconds(10))
                .build()) {
            Verdict reserved =
                    agent.check(Request.of("ann").label("org", "acme").build(), 600);
            if (withoutStore(agent) > 0) {
                return withoutStore(agent);
            }
            assertThat(reserved.allowed()).isTrue();
            assertThat(take(one, "ann", "acme", 1).statusCode()).isEqualTo(429);

            reserved.settle(100);

            await("the settlement to arrive")
                    .until(() -> take(one, "ann", "acme", 500).statusCode() == 200);
            assertThat(take(other, "bob", "acme", 401).statusCode())
                    .as("the organisation has 400")
                    .isEqualTo(429);
            assertThat(take(other, "bob", "acme", 400).statusCode()).isEqualTo(200);
            assertThat(take(other, "eve", "bolt", 501).statusCode())
                    .as("everything has 500")
                    .isEqualTo(429);
            assertThat(take(other, "eve", "bolt", 500).statusCode()).isEqualTo(200);
            return 0;
        }
    }

    private static long withoutStore(GateAgent agent) {
        return agent.quotas().stream()
                .mapToLong(it -> it.failed() + it.timedOut() + it.degraded())
                .sum();
    }
}
