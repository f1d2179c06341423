package io.sluice.analyzer.cli;

import static io.sluice.analyzer.cli.CommandResult.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.TestPolicies;
import io.sluice.analyzer.api.Api;
import io.sluice.analyzer.api.ServedAnalyzer;
import io.sluice.analyzer.metrics.AnalyzerMetrics;
import io.sluice.analyzer.run.Analyzer;
import io.sluice.analyzer.run.TestFleet;
import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.policy.PolicySet;
import io.sluice.http.server.HttpEndpoint;
import io.sluice.http.tls.Tls;
import io.sluice.settings.HttpSettings;
import io.sluice.testing.NamedPipe;
import io.sluice.testing.TestCertificate;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands against a running analyzer with a lock. */
@Tag("server")
class CallersCommandTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final PolicySet POLICIES = TestPolicies.yaml("""
            policies:
              - { name: noisy, per: [caller], window: 10m, panes: 60, lock: { when: [{ above: 100 }], for: 5m } }
              - { name: plans, per: [caller], limit: { rate: 10/s } }
            """);

    @TempDir
    static Path folder;

    private static TestFleet fleet;
    private static Api api;
    private static HttpEndpoint server;
    private static String config;

    @BeforeAll
    static void anAnalyzerThatHasLockedSomebody() throws Exception {
        fleet = new TestFleet(folder, 2);
        Analyzer analyzer = fleet.start("one", POLICIES);
        fleet.awaitReady();
        Path token = Files.writeString(folder.resolve("token"), "0123456789abcdef");
        api = api(fleet, "one", analyzer, token);
        server = HttpEndpoint.open("127.0.0.1", 0, HttpEndpoint.Bounds.of(100), "test-api", api);
        int port = server.uri().getPort();
        config = config("sluice.yml", port, "token-file: " + token);
        fleet.send("globex", 30);
        fleet.send("acme", 150);
        await().atMost(PATIENCE).untilAsserted(() -> {
            CommandResult top = run("callers", "top", "--config", config);
            assertThat(top.out() + top.err())
                    .containsPattern("acme .*block by analyzer")
                    .contains("globex");
            // the lock opens before all of them are counted
            assertThat(run("callers", "show", "acme", "--config", config).out()).contains("150 of 100");
        });
    }

    private static Api api(TestFleet of, String instance, Analyzer analyzer, Path token) throws Exception {
        return Api.open(
                new HttpSettings("127.0.0.1", 8480, token, List.of()),
                TestKafka.client(),
                of.topics,
                new ServedAnalyzer(
                        instance,
                        600_000,
                        analyzer::running,
                        analyzer::counts,
                        analyzer.tasks().orElseThrow()));
    }

    @AfterAll
    static void stop() {
        server.close();
        api.close();
        fleet.close();
    }

    private static String config(String name, int port, String more) throws Exception {
        return Files.writeString(folder.resolve(name), "http: { port: " + port + ", " + more + " }\n")
                .toString();
    }

    @Test
    void dashboard_url_signsABrowserInOnce() throws Exception {
        CommandResult result = run("dashboard", "--url", "--config", config);
        URI url = URI.create(result.out().strip());

        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(url.toString()).startsWith(server.uri() + "/#/sign-in?code=").doesNotContain("0123456789abcdef");
        String code = url.getFragment().replaceFirst(".*code=", "");
        HttpRequest signIn = HttpRequest.newBuilder(server.uri().resolve("/api/v1/session"))
                .POST(HttpRequest.BodyPublishers.ofString("{\"code\":\"" + code + "\"}"))
                .header("Origin", server.uri().toString())
                .build();
        HttpClient http = HttpClient.newHttpClient();
        HttpResponse<String> first = http.send(signIn, HttpResponse.BodyHandlers.ofString());
        HttpRequest locks = HttpRequest.newBuilder(server.uri().resolve("/api/v1/locks"))
                .header(
                        "Cookie",
                        first.headers().firstValue("Set-Cookie").orElseThrow().replaceFirst(";.*", ""))
                .build();
        assertThat(http.send(locks, HttpResponse.BodyHandlers.ofString()).body())
                .contains("acme");
        assertThat(http.send(signIn, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(401);
    }

    @Test
    void dashboard_tokenIsWrongOrNobodyAnswers_isRefused() throws Exception {
        Path wrong = Files.writeString(folder.resolve("wrong"), "fedcba9876543210");

        assertThat(run("dashboard", "--url", "--token-file", wrong.toString(), "--config", config)
                        .err())
                .contains("answered 401");
        assertThat(run("dashboard", "--url", "--token-file", folder + "/none", "--config", config)
                        .err())
                .contains("--token-file: " + folder + "/none: no such file");
        assertThat(run("dashboard", "--at", "127.0.0.1:1", "--config", config).err())
                .contains("no analyzer answers at 127.0.0.1:1 (the connection was refused)");
        Path empty = Files.writeString(folder.resolve("empty"), "\n");
        assertThat(run("dashboard", "--url", "--token-file", empty.toString(), "--config", config)
                        .err())
                .contains("--token-file: " + empty + " is empty");
        Path users = Files.writeString(
                folder.resolve("some-users"), "ann operate 5f0c0123456789abcdef\nbob look 4e1d0123456789abcdef\n");
        assertThat(run("dashboard", "--url", "--token-file", users.toString(), "--config", config)
                        .err())
                .contains("--token-file: " + users + " holds more than a token")
                .doesNotContain("0123456789abcdef");
    }

    /** Such as of a process substitution of a shell. It asks for the caller and for the policies. */
    @Test
    void tokenInAPipe_isReadOnce() throws Exception {
        Path pipe = NamedPipe.create(folder.resolve("pipe"), "0123456789abcdef");
        String piped = config("piped.yml", server.uri().getPort(), "token-file: " + pipe);

        CommandResult shown = run("callers", "show", "acme", "--config", piped);

        assertThat(shown.code()).as(shown.err()).isZero();
        assertThat(shown.out()).contains("150 of 100");
    }

    @Tag("full")
    @Test
    void analyzerWithTls_isAskedOverTls() throws Exception {
        TestCertificate certificate = TestCertificate.create(folder, "analyzer");
        try (HttpEndpoint secure = HttpEndpoint.open(
                "127.0.0.1",
                0,
                HttpEndpoint.Bounds.of(100),
                "test-api-tls",
                Tls.of(certificate.certificate(), certificate.key(), null),
                api)) {
            String more = "token-file: " + folder.resolve("token");
            int port = secure.uri().getPort();
            String trusting = config("tls.yml", port, more + ", tls: { ca: " + certificate.certificate() + " }");
            String stranger = config("stranger.yml", port, more);

            assertThat(run("callers", "top", "--config", trusting).out()).contains("acme");
            assertThat(run("callers", "top", "--at", "https://127.0.0.1:" + port, "--config", trusting)
                            .out())
                    .contains("acme");
            assertThat(run("callers", "top", "--at", "https://127.0.0.1:" + port, "--config", stranger)
                            .err())
                    .contains("no analyzer answers at https://127.0.0.1:" + port, "http.tls.ca");
            assertThat(run("dashboard", "--url", "--at", "http://127.0.0.1:" + port, "--config", trusting)
                            .err())
                    .contains("its answer is not HTTP", "begin with https://");
            assertThat(run(
                                    "dashboard",
                                    "--url",
                                    "--at",
                                    "https://127.0.0.1:" + server.uri().getPort(),
                                    "--config",
                                    trusting)
                            .err())
                    .contains("it answers without TLS", "begin with http://");
        }
    }

    @Test
    void theBusiestStandFirstWithWhatLocksThem() {
        CommandResult top = run("callers", "top", "--config", config);
        CommandResult one = run("callers", "top", "--limit", "1", "--policy", "noisy", "--config", config);
        CommandResult json = run("callers", "top", "--json", "--config", config);

        assertThat(top.code()).isZero();
        assertThat(top.out())
                .containsPattern("(?s)CALLER +BY +REQ/MIN +ADMITTED +REJECTED +SHARE +COUNTED BY +LOCKED\n"
                        + "acme +caller +\\d+ +\\d+ +0 +8\\d\\.\\d % +noisy +block by analyzer\nglobex +caller ");
        assertThat(one.out()).contains("acme").doesNotContain("globex");
        assertThat(json.out().lines().findFirst().orElseThrow())
                .startsWith("{\"per\":[\"caller\"],\"subject\":[\"acme\"],\"requests\":")
                .endsWith("\"locks\":[{\"policy\":\"noisy\",\"mode\":\"block\",\"by\":\"analyzer\"}]}");
    }

    @Test
    void candidates_namesThatAShellCouldRun_areNotOffered() throws Exception {
        String whole = Files.writeString(
                        folder.resolve("candidates.yml"),
                        Files.readString(Path.of(config))
                                + """
                        kafka: { bootstrap.servers: "%s" }
                        topics: { prefix: "%s" }
                        """.formatted(TestKafka.bootstrapServers(), fleet.topics.prefix()))
                .toString();
        for (String name : List.of("\\`touch$IFS/tmp/x$IFS\\`", "*", "two words", "2001:db8::/64")) {
            CommandResult added = run("locks", "add", "noisy", name, "--reason", "test", "--config", whole);
            assertThat(added.code()).as(added.err()).isZero();
        }

        CommandResult words = run("candidates", "subjects", "--config", whole);

        assertThat(words.code()).as(words.err()).isZero();
        assertThat(words.out().lines())
                .contains("acme", "2001:db8::/64")
                .allMatch(word -> word.matches("[a-z0-9:/-]+"));
    }

    @Tag("full")
    @Test
    void claimedCallers_topSaysHowManyAndWhichSettingChangesIt() throws Exception {
        Path token = folder.resolve("token");
        // the share is that of the last minute: a log of its own, where each round alone makes it
        try (TestFleet own = new TestFleet(folder, 2)) {
            Analyzer analyzer = own.start("claimed", POLICIES);
            own.awaitReady();
            try (AnalyzerMetrics itsMetrics = AnalyzerMetrics.of(analyzer);
                    Api itsApi = api(own, "claimed", analyzer, token);
                    HttpEndpoint itsServer = HttpEndpoint.open(
                            "127.0.0.1", 0, HttpEndpoint.Bounds.of(100), "test-api-claimed", itsApi)) {
                String its = config("claimed.yml", itsServer.uri().getPort(), "token-file: " + token);
                await().atMost(PATIENCE).untilAsserted(() -> {
                    TestKafka.send(own.topics.requests(), aTenthClaimed());

                    CommandResult top = run("callers", "top", "--config", its);
                    CommandResult json = run("callers", "top", "--json", "--config", its);

                    assertThat(top.out())
                            .startsWith("! 10 % of the newest requests have a claimed caller")
                            .contains("agent.identity: authenticated");
                    assertThat(json.out()).contains("\"claimedShare\":0.1", "agent.identity");
                    assertThat(itsMetrics.scrape()).contains("sluice_claimed_ratio 0.1\n");
                });
            }
        }
    }

    private static List<String> aTenthClaimed() {
        String authenticated = TestFleet.event("key-1");
        List<String> round = new ArrayList<>(Collections.nCopies(180, authenticated));
        round.addAll(
                Collections.nCopies(20, authenticated.replace("\"status\"", "\"identity\":\"claimed\",\"status\"")));
        return round;
    }

    @Tag("full")
    @Test
    void watchedItIsDrawnAgain() {
        try (WatchedCommand watched = WatchedCommand.start("callers", "top", "--watch", "--config", config)) {
            watched.shows("CALLER ", 2);
        }
    }

    @Test
    void aCallersWindowIsShownWithItsThresholdAndItsLock() {
        CommandResult shown = run("callers", "show", "acme", "--config", config);
        CommandResult json = run("callers", "show", "acme", "--policy", "noisy", "--json", "--config", config);

        assertThat(shown.out())
                .startsWith("noisy acme: 150 of 100 requests in 10m\n")
                .containsPattern("  window    \\[.*[█#].*] the last 10m\n")
                .contains("  locked if over 100 requests in 10m\n")
                .containsPattern("  locked    block by analyzer, .* left: .* requests in 10m, allowed 100\n");
        assertThat(json.out()).contains("\"sum\":150.0,\"threshold\":100.0", "\"detector\":\"above\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "callers show acm                | did you mean acme?",
                "callers show 2001:db8:1:2::7    | did you mean 2001:db8:1:2::/64?",
                "callers show nobody-at-all      | nothing of nobody-at-all was counted within these windows",
                "callers top --policy nosy       | no policy nosy that counts is in force, did you mean noisy?",
                "callers top --policy plans      | no policy plans that counts is in force",
                "callers top --limit 0           | limit: found 0, allowed is 1 to 256",
                "callers show acme orders        | one CALLER, please",
                "callers show a b --policy noisy | noisy counts per [caller]: found 2 values, 1 is needed",
                "callers top --limt 3            | did you mean --limit?"
            })
    void whatCantBeIsSaidWithWhatCan(String command, String message) {
        CommandResult result = run((command + " --config " + config).split(" ", -1));

        assertThat(result.out() + result.err()).contains(message);
    }

    @Test
    void show_emptyCaller_isRefused() {
        CommandResult result = run("callers", "show", "", "--config", config);

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("CALLER: found nothing");
    }

    @Test
    void whoCantBeReachedIsNamedWithTheRemedy() throws Exception {
        CommandResult nobody = run("callers", "top", "--at", "127.0.0.1:1", "--config", config);
        CommandResult none = run("callers", "top", "--config", config("none.yml", 0, "bind: 127.0.0.1"));
        CommandResult stranger = run(
                "callers",
                "top",
                "--config",
                config("stranger.yml", server.uri().getPort(), "bind: 127.0.0.1"));
        CommandResult nonsense = run("callers", "top", "--at", "no place", "--config", config);

        assertThat(nobody.code()).isEqualTo(1);
        assertThat(nobody.err()).contains("no analyzer answers at 127.0.0.1:1", "'./sluice doctor'", "--at HOST:PORT");
        assertThat(none.err()).contains("http.port is 0");
        assertThat(stranger.err()).contains("401", "http.token-file has to name the token");
        assertThat(nonsense.err()).contains("--at: found no place, allowed is HOST:PORT");
    }
}
