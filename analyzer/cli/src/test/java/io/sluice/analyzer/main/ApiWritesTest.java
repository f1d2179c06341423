package io.sluice.analyzer.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.analyzer.run.TestKafka;
import io.sluice.contract.lock.Mode;
import io.sluice.contract.operator.OperatorJson;
import io.sluice.contract.operator.OperatorRecord;
import io.sluice.testing.FreePort;
import io.sluice.testing.NamedPipe;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The {@code analyzer} command with a token, and with {@code http.writes}, as its {@code sluice.yml} says. */
@Tag("server")
class ApiWritesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** A process that starts on a busy machine needs more than an answer does. */
    private static final Duration START = Duration.ofMinutes(10);

    private static final String TOKEN = "an-operators-token-0123456789";
    private static final String LOOKER = "lee-0123456789abcdef";
    private static final String OPERATOR = "olga-0123456789abcdef";
    private static final String POLICY_MAKER = "pat-0123456789abcdef";
    private static final String PROXY_SECRET = "the-proxy-0123456789";
    private static final String BY_IP = "{ name: by-ip, per: [ip], lock: { when: [{ above: 100 }] } }";
    private static final BodyPublisher NOTHING = BodyPublishers.noBody();

    @TempDir
    static Path folder;

    private static final String PREFIX = TestKafka.name("w") + ".";
    private static AnalyzerProcess analyzer;
    private static int port;

    @BeforeAll
    static void anAnalyzerWithAToken() throws Exception {
        port = FreePort.next();
        // each can be read only once, as a process substitution of a shell
        NamedPipe.create(folder.resolve("token"), TOKEN + "\n");
        NamedPipe.create(folder.resolve("secret"), PROXY_SECRET);
        NamedPipe.create(
                folder.resolve("users"),
                "lee look %s\nolga operate %s\npat policies %s\n".formatted(LOOKER, OPERATOR, POLICY_MAKER));
        Files.writeString(
                folder.resolve("policies.yml"),
                "policies: [{ name: p, per: [caller], lock: { when: [{ above: 100 }] } }, " + BY_IP + "]");
        analyzer = AnalyzerProcess.start(
                folder,
                "one",
                """
                kafka: { bootstrap.servers: "%s" }
                topics: { prefix: %s, partitions: 1, create: true }
                policies: %s
                analyzer: { state-dir: %s }
                http: { port: %d, token-file: %s, users-file: %s, writes: true,
                  proxy: { trusted: [127.0.0.1], secret-file: %s } }
                """.formatted(
                                TestKafka.bootstrapServers(),
                                PREFIX,
                                folder.resolve("policies.yml"),
                                folder.resolve("state"),
                                port,
                                folder.resolve("token"),
                                folder.resolve("users"),
                                folder.resolve("secret")),
                List.of("-Dsluice.test.log=WARN"));
        await().atMost(START)
                .failFast("the analyzer ended, or has no port", () -> {
                    assertThat(analyzer.alive()).as("%s", analyzer).isTrue();
                    assertThat(analyzer.toString()).doesNotContain("no health page");
                })
                .untilAsserted(
                        () -> assertThat(statusOfPolicies()).as("%s", analyzer).isEqualTo(200));
    }

    /** Returns 0 while nothing listens. */
    private static int statusOfPolicies() throws Exception {
        try {
            return ask("GET", "/api/v1/policies", TOKEN, NOTHING).statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    @AfterAll
    static void stop() {
        analyzer.close();
    }

    @ParameterizedTest
    @CsvSource({"GET, /api/v1/status", "POST, /api/v1/locks/p/acme", "DELETE, /api/v1/locks/p/acme"})
    void nobodyIsAnsweredWithoutTheToken(String method, String path) throws Exception {
        HttpResponse<String> without = ask(method, path, null, NOTHING);
        HttpResponse<String> wrong = ask(method, path, TOKEN + "0", NOTHING);

        assertThat(without.statusCode()).isEqualTo(401);
        assertThat(without.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        assertThat(wrong.statusCode()).isEqualTo(401);
    }

    @Test
    void supervisorsNeedNoToken() throws Exception {
        assertThat(ask("GET", "/livez", null, NOTHING).statusCode()).isEqualTo(200);
    }

    @Test
    void aLockIsPutAndReleasedOnTheTopicThatAgentsRead() throws Exception {
        String path = "/api/v1/locks/p/by%2Fhand";

        HttpResponse<String> put = ask("POST", path, TOKEN, BodyPublishers.ofString("""
                {"mode":"throttle","rate":5,"ttlMillis":60000,"author":"ann","reason":"too much"}"""));

        assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
        assertThat(put.body()).contains("\"appended\":", "\"key\":[\"p\",\"by/hand\"]", "\"mode\":\"throttle\"");
        assertThat(newest()).isInstanceOfSatisfying(OperatorRecord.Lock.class, lock -> {
            assertThat(lock.subject()).containsExactly("by/hand");
            assertThat(lock.mode()).isEqualTo(Mode.THROTTLE);
            assertThat(lock.rate()).isEqualTo(5);
            assertThat(lock.ttlMillis()).isEqualTo(60_000);
            assertThat(lock.author()).isEqualTo("ann");
        });

        HttpResponse<String> released = ask("DELETE", path + "?author=ann&reason=talked+to+them", TOKEN, NOTHING);

        assertThat(released.statusCode()).as(released.body()).isEqualTo(201);
        assertThat(newest()).isInstanceOfSatisfying(OperatorRecord.Release.class, release -> {
            assertThat(release.subject()).containsExactly("by/hand");
            assertThat(release.reason()).isEqualTo("talked to them");
            assertThat(release.ttlMillis()).isEqualTo(600_000);
        });
        assertThat(ask("GET", "/api/v1/history?policy=p&subject=by%2Fhand", TOKEN, NOTHING)
                        .body())
                .contains("\"author\":\"ann\",\"reason\":\"too much\"", "\"reason\":\"talked to them\"");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                ask("GET", "/api/v1/locks", TOKEN, NOTHING).body())
                        .contains("talked to them")
                        .doesNotContain("too much"));
    }

    @Test
    void lockOfAWholeIpv6Address_namesTheNetworkThatGatesKnow() throws Exception {
        BodyPublisher body = BodyPublishers.ofString("{\"author\":\"ann\",\"reason\":\"r\",\"ttlMillis\":1000}");

        assertThat(ask("POST", "/api/v1/locks/p/2001:db8:1:2::3", TOKEN, body).body())
                .contains("\"network\":\"2001:db8:1:2::/64\"");
        assertThat(ask("POST", "/api/v1/locks/p/192.0.2.7", TOKEN, body).body()).doesNotContain("network");
    }

    /** A lock of an earlier version, which checked nothing, has to go. */
    @Test
    void textThatIsNoAddress_isNotLockedButReleased() throws Exception {
        String path = "/api/v1/locks/by-ip/banana";

        HttpResponse<String> lock =
                ask("POST", path, TOKEN, BodyPublishers.ofString("{\"author\":\"ann\",\"reason\":\"r\"}"));
        HttpResponse<String> release = ask("DELETE", path + "?author=ann&reason=r", TOKEN, NOTHING);

        assertThat(lock.statusCode()).isEqualTo(404);
        assertThat(lock.body()).contains("by-ip counts per [ip]: found banana for ip, allowed is an address");
        assertThat(release.statusCode()).as(release.body()).isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/locks/q/acme, 404, 'no policy q is in force, did you mean p?'",
        "/api/v1/locks/p, 404, 'p counts per [caller]: found 0 values, 1 is needed'",
        "/api/v1/locks/p/acme/more, 404, found 2 values",
        "/api/v1/locks, 405, can be changed",
        "/api/v1/policies, 405, can be changed",
        "/api/v1/enforcement, 400, body.enforce is missing",
        "/elsewhere, 404, there are"
    })
    void whatCanNotBeChangedIsSaid(String path, int status, String message) throws Exception {
        String body = "{\"author\":\"ann\",\"reason\":\"r\"}";

        HttpResponse<String> answer = ask("POST", path, TOKEN, BodyPublishers.ofString(body));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains(message);
    }

    @Test
    void blankAgentIsRefused() throws Exception {
        String body = "{\"enforce\":false,\"agent\":\" \",\"author\":\"ann\",\"reason\":\"r\"}";

        HttpResponse<String> answer = ask("POST", "/api/v1/enforcement", TOKEN, BodyPublishers.ofString(body));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("body.agent: found blanks");
    }

    @ParameterizedTest
    @CsvSource({"text/plain, 415", "application/x-www-form-urlencoded, 415", "application/json; charset=utf-8, 201"})
    void onlyJsonIsRead(String type, int status) throws Exception {
        HttpRequest post = HttpRequest.newBuilder(uri("/api/v1/locks/p/typed"))
                .POST(BodyPublishers.ofString("{\"author\":\"ann\",\"reason\":\"r\"}"))
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", type)
                .build();

        assertThat(HttpClient.newHttpClient()
                        .send(post, HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(status);
    }

    @Test
    void killSwitch_offAndOn_isInForceWithItsAuthor() throws Exception {
        HttpResponse<String> off = ask(
                "POST",
                "/api/v1/enforcement",
                OPERATOR,
                BodyPublishers.ofString("{\"enforce\":false,\"agent\":\"orders-9\",\"reason\":\"drill\"}"));

        assertThat(off.statusCode()).as(off.body()).isEqualTo(201);
        awaitStatus("\"switchedOff\":[{\"agent\":\"orders-9\",\"author\":\"olga\",\"reason\":\"drill\"");
        for (String token : List.of(LOOKER, OPERATOR)) {
            String author = "{\"enforce\":true,\"author\":\"pat\",\"reason\":\"r\"}";
            assertThat(ask("POST", "/api/v1/enforcement", token, BodyPublishers.ofString(author))
                            .statusCode())
                    .isEqualTo(token.equals(LOOKER) ? 403 : 400);
        }

        HttpResponse<String> everywhere = ask(
                "POST",
                "/api/v1/enforcement",
                OPERATOR,
                BodyPublishers.ofString("{\"enforce\":true,\"reason\":\"over\"}"));
        assertThat(everywhere.body())
                .as("what stays off")
                .contains("\"switchedOff\":[{\"agent\":\"orders-9\",\"author\":\"olga\",\"reason\":\"drill\"");

        HttpResponse<String> on = ask(
                "POST",
                "/api/v1/enforcement",
                OPERATOR,
                BodyPublishers.ofString("{\"enforce\":true,\"agent\":\"orders-9\",\"reason\":\"over\"}"));

        assertThat(on.statusCode()).as(on.body()).isEqualTo(201);
        assertThat(on.body()).contains("\"switchedOff\":[]");
        awaitStatus("\"switchedOff\":[]");
        assertThat(ask("GET", "/api/v1/history", TOKEN, NOTHING).body())
                .contains("\"author\":\"olga\",\"reason\":\"drill\"", "\"author\":\"olga\",\"reason\":\"over\"");
    }

    private static void awaitStatus(String part) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                ask("GET", "/api/v1/status", TOKEN, NOTHING).body())
                        .contains(part));
    }

    @Test
    void policies_applied_areInForceAndRecorded() throws Exception {
        String before = revision();
        String wider =
                "policies:\n  - { name: p, per: [caller], lock: { when: [{ above: 200 }] } }\n  - " + BY_IP + "\n";

        HttpResponse<String> applied = apply(POLICY_MAKER, '"' + before + '"', wider);

        assertThat(applied.statusCode()).as(applied.body()).isEqualTo(200);
        assertThat(applied.body()).contains("\"before\":\"" + before + "\",\"inForce\":true}");
        assertThat(ask("GET", "/api/v1/policies", TOKEN, NOTHING).body()).contains("\"above\":200");
        assertThat(ask("GET", "/api/v1/history", TOKEN, NOTHING).body())
                .contains("\"before\":\"" + before + "\",\"author\":\"pat\",\"reason\":\"more room\"");
        HttpResponse<String> late = apply(POLICY_MAKER, '"' + before + '"', wider.replace("200", "300"));
        assertThat(late.statusCode()).isEqualTo(412);
        assertThat(late.body()).contains("in force is", "another set was applied meanwhile");
        assertThat(apply(POLICY_MAKER, '"' + revision() + '"', wider).body()).contains("\"inForce\":true}");
    }

    @Test
    void policies_invalidOrWithoutRevisionOrRole_areRefused() throws Exception {
        String before = '"' + revision() + '"';
        HttpResponse<String> invalid = apply(
                POLICY_MAKER, before, "policies:\n  - { name: p, per: [caller], lock: { when: [{ abov: 1 }] } }\n");

        assertThat(invalid.statusCode()).as(invalid.body()).isEqualTo(400);
        assertThat(invalid.body())
                .contains("\"problems\":[{\"field\":\"policies[0].lock.when[0]", "\"line\":2,", "abov");
        assertThat(apply(POLICY_MAKER, before, "policies: [").statusCode()).isEqualTo(400);
        assertThat(apply(POLICY_MAKER, null, "policies: []").statusCode()).isEqualTo(428);
        HttpResponse<String> blank =
                ask("PUT", "/api/v1/policies?reason=%20", POLICY_MAKER, BodyPublishers.ofString("policies: []"));
        assertThat(blank.body()).contains("reason: found blanks, allowed are 1 to 1000 characters");
        assertThat(apply(OPERATOR, before, "policies: []").body())
                .contains("olga has the role operate, needed is policies");
        assertThat(apply(POLICY_MAKER, before, "#".repeat(600_000)).statusCode())
                .isEqualTo(413);
        assertThat('"' + revision() + '"').isEqualTo(before);
    }

    private static String revision() throws Exception {
        return ask("GET", "/api/v1/status", TOKEN, NOTHING)
                .body()
                .replaceFirst(".*\"revision\":\"([0-9a-f]*)\".*", "$1");
    }

    private static HttpResponse<String> apply(String token, String ifMatch, String yaml) throws Exception {
        HttpRequest.Builder put = HttpRequest.newBuilder(uri("/api/v1/policies?reason=more+room"))
                .PUT(BodyPublishers.ofString(yaml))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/yaml");
        if (ifMatch != null) {
            put.header("If-Match", ifMatch);
        }
        return HttpClient.newHttpClient().send(put.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void policies_operatorAtAnEncodedPath_isRefused() throws Exception {
        HttpRequest put = HttpRequest.newBuilder(uri("/api/v1/%70olicies?reason=r"))
                .PUT(BodyPublishers.ofString("policies: []"))
                .header("Authorization", "Bearer " + OPERATOR)
                .header("Content-Type", "application/yaml")
                .header("If-Match", '"' + revision() + '"')
                .build();

        HttpResponse<String> answer = HttpClient.newHttpClient().send(put, HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
    }

    @Test
    void link_signsABrowserInOnce_asItsUser() throws Exception {
        HttpResponse<String> link = ask("POST", "/api/v1/session/links", LOOKER, NOTHING);
        assertThat(link.statusCode()).as(link.body()).isEqualTo(201);
        String code = link.body().replaceFirst(".*\"code\":\"([0-9a-f]+)\".*", "$1");

        HttpResponse<String> first = signIn(code);
        String cookie = first.headers().firstValue("Set-Cookie").orElseThrow().replaceFirst(";.*", "");

        assertThat(signIn(code).statusCode()).isEqualTo(401);
        HttpRequest session = HttpRequest.newBuilder(uri("/api/v1/session"))
                .header("Cookie", cookie)
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(session, HttpResponse.BodyHandlers.ofString())
                        .body())
                .contains("\"signedIn\":true", "\"user\":\"lee\",\"role\":\"look\",\"writes\":true,\"csrf\":");
        assertThat(ask("POST", "/api/v1/session/links", null, NOTHING).statusCode())
                .isEqualTo(401);
        assertThat(ask("GET", "/api/v1/session/links", LOOKER, NOTHING).statusCode())
                .isEqualTo(404);
    }

    @Test
    void proxyUser_changesWithCsrfToken_asItsName() throws Exception {
        String[] user = {
            "X-Forwarded-User",
            "ann@example.com",
            "X-Forwarded-Groups",
            "staff,sluice-operate",
            "X-Sluice-Proxy-Secret",
            PROXY_SECRET,
            "Origin",
            "http://127.0.0.1:" + port
        };
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest session =
                HttpRequest.newBuilder(uri("/api/v1/session")).headers(user).build();
        String csrf = http.send(session, HttpResponse.BodyHandlers.ofString())
                .body()
                .replaceFirst(".*\"csrf\":\"([^\"]+)\".*", "$1");
        HttpRequest.Builder lock = HttpRequest.newBuilder(uri("/api/v1/locks/p/proxied"))
                .POST(BodyPublishers.ofString("{\"reason\":\"by proxy\"}"))
                .headers(user)
                .header("Content-Type", "application/json");

        assertThat(http.send(lock.build(), HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(403);
        lock.header("X-Sluice-CSRF", csrf);
        HttpResponse<String> put = http.send(lock.build(), HttpResponse.BodyHandlers.ofString());
        assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
        assertThat(put.body()).contains("\"author\":\"ann@example.com\",\"reason\":\"by proxy\"");
        lock.setHeader("X-Sluice-Proxy-Secret", PROXY_SECRET + "0");
        assertThat(http.send(lock.build(), HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(401);
    }

    private static HttpResponse<String> signIn(String code) throws Exception {
        HttpRequest post = HttpRequest.newBuilder(uri("/api/v1/session"))
                .POST(BodyPublishers.ofString("{\"code\":\"" + code + "\"}"))
                .header("Content-Type", "application/json")
                .header("Origin", "http://127.0.0.1:" + port)
                .build();
        return HttpClient.newHttpClient().send(post, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aBodyWithoutAnEndIsNotRead() throws Exception {
        String reason = "r".repeat(20_000);

        HttpResponse<String> answer =
                ask("POST", "/api/v1/locks/p/acme", TOKEN, BodyPublishers.ofString("{\"reason\":\"" + reason + "\"}"));

        assertThat(answer.statusCode()).isEqualTo(413);
    }

    private static OperatorRecord newest() throws Exception {
        List<ConsumerRecord<byte[], byte[]>> said = TestKafka.read(PREFIX + "operator").stream()
                .filter(record -> TestKafka.text(record.key()).contains("by/hand"))
                .toList();
        ConsumerRecord<byte[], byte[]> last = said.get(said.size() - 1);
        return OperatorJson.read(last.key(), last.value()).orElseThrow();
    }

    private static HttpResponse<String> ask(String method, String path, String token, BodyPublisher body)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri(path)).method(method, body).header("Content-Type", "application/json");
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }
}
