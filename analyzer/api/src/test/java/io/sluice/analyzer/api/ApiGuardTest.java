package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.settings.HttpSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiGuardTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final HttpSettings LOOPBACK = new HttpSettings("127.0.0.1", 8480, null, List.of("ops.example"));

    private final ApiGuard open = new ApiGuard(LOOPBACK, null);
    private final ApiGuard guarded = new ApiGuard(LOOPBACK, TOKEN);
    private final ApiGuard writing =
            new ApiGuard(new HttpSettings("127.0.0.1", 8480, Path.of("token"), true, List.of("ops.example")), TOKEN);

    private static HttpFields headers(String... namesAndValues) {
        HttpFields.Mutable headers = HttpFields.build();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return headers;
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:8480", "127.0.0.1:8480", "[::1]:8480", "[::1]", "ops.example:1"})
    void ourOwnNamesAreAnswered(String host) {
        assertThat(open.refusal("GET", headers("Host", host), "/api/v1/status")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8480",
                "127.0.0.1.evil.example",
                "localhost.",
                "",
                "[::2]:8480",
                "1:2:3",
                "localhost:80@evil",
                "localhost@evil.example",
                "localhost:80:80",
                "localhost/",
                "localhost, evil.example",
                "localhost:",
                "localhost:8480 "
            })
    void aNameThatIsNotOursIsRefusedThoughItLeadsHere(String host) {
        assertThat(open.refusal("GET", headers("Host", host), "/api/v1/status"))
                .map(ApiGuard.Refusal::status)
                .contains(403);
    }

    @Test
    void twoNames_areRefused() {
        assertThat(open.refusal("GET", headers("Host", "localhost", "Host", "localhost"), "/api/v1/status"))
                .map(ApiGuard.Refusal::status)
                .contains(403);
    }

    @Test
    void noNameAtAllIsRefused() {
        assertThat(open.refusal("GET", headers(), "/api/v1/status"))
                .map(ApiGuard.Refusal::status)
                .contains(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "OPTIONS", "HEAD", "get", ""})
    void noOtherMethodIsAllowed(String method) {
        assertThat(writing.refusal(
                        method, headers("Host", "localhost", "Authorization", "Bearer " + TOKEN), "/api/v1/status"))
                .map(ApiGuard.Refusal::status)
                .contains(405);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Bearer ",
                "Bearer 0123456789abcde",
                "Bearer 0123456789abcdeff",
                "Basic 0123456789abcdef",
                "0123456789abcdef"
            })
    void aTokenThatIsWrongIsRefused(String authorization) {
        assertThat(guarded.refusal(
                        "GET", headers("Host", "localhost", "Authorization", authorization), "/api/v1/status"))
                .map(ApiGuard.Refusal::status)
                .contains(401);
    }

    @Test
    void theTokenLetsIn() {
        assertThat(guarded.refusal(
                        "GET", headers("Host", "localhost", "Authorization", "Bearer " + TOKEN), "/api/v1/status"))
                .isEmpty();
        assertThat(guarded.refusal("GET", headers("Host", "localhost"), "/api/v1/status"))
                .isPresent();
    }

    @Test
    void offLoopbackNobodyIsAnsweredWithoutAToken() {
        HttpSettings everywhere = new HttpSettings("0.0.0.0", 8480, null, List.of("ops.example"));

        assertThat(new ApiGuard(everywhere, null).refusal("GET", headers("Host", "ops.example"), "/api/v1/status"))
                .map(ApiGuard.Refusal::message)
                .contains("not served off loopback without a token; http.token-file names one");
        assertThat(new ApiGuard(everywhere, TOKEN)
                        .refusal(
                                "GET",
                                headers("Host", "ops.example", "Authorization", "Bearer " + TOKEN),
                                "/api/v1/status"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost", "http://localhost:8480", "https://ops.example", "http://[::1]:8480"})
    void aPageOfOurOwnMayAsk(String origin) {
        assertThat(open.refusal("GET", headers("Host", "localhost", "Origin", origin), "/api/v1/status"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "null", "", "http://localhost.evil.example", "file://localhost"})
    void aPageOfSomebodyElseMayNot(String origin) {
        HttpFields headers = headers("Host", "localhost", "Authorization", "Bearer " + TOKEN, "Origin", origin);

        assertThat(writing.refusal("POST", headers, "/api/v1/status"))
                .contains(new ApiGuard.Refusal(
                        403, "a page of this Origin may not ask; http.allowed-hosts names those that may"));
        assertThat(writing.refusal("GET", headers, "/api/v1/status")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "DELETE"})
    void nothingIsChangedUntilItIsAllowed(String method) {
        HttpFields headers = headers("Host", "localhost", "Authorization", "Bearer " + TOKEN);

        assertThat(guarded.refusal(method, headers, "/api/v1/status")
                        .orElseThrow()
                        .status())
                .isEqualTo(403);
        assertThat(guarded.refusal(method, headers, "/api/v1/status")
                        .orElseThrow()
                        .message())
                .contains("http.writes: true", "http.token-file", "./sluice locks add");
        assertThat(writing.refusal(method, headers, "/api/v1/status")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "DELETE"})
    void nothingIsChangedWithoutTheToken(String method) {
        assertThat(writing.refusal(method, headers("Host", "localhost"), "/api/v1/status"))
                .map(ApiGuard.Refusal::status)
                .contains(401);
        assertThat(new ApiGuard(new HttpSettings("127.0.0.1", 8480, null, true, List.of()), null)
                        .refusal(method, headers("Host", "localhost"), "/api/v1/status"))
                .map(ApiGuard.Refusal::status)
                .contains(403);
    }

    private static final String OWN = "10.0.0.5:8480";
    private static final String TOP = "/api/v1/local/top?limit=5";

    private Optional<ApiGuard.Refusal> asPeer(String method, String target, String authorization) {
        return new ApiGuard(LOOPBACK, TOKEN, OWN)
                .refusal(method, headers("Host", OWN, "Authorization", authorization), target);
    }

    private static String signed(String token, String address, String target, long secondsAgo) {
        long seconds = System.currentTimeMillis() / 1000 - secondsAgo;
        return PeerSignature.of(token.getBytes(StandardCharsets.UTF_8), address, target, seconds);
    }

    @Test
    void refusal_signatureOfAnotherInstance_letsItReadWhatIsLocal() {
        assertThat(asPeer("GET", TOP, signed(TOKEN, OWN, TOP, 0))).isEmpty();
    }

    @Test
    void refusal_signatureForAnotherAddress_isRefused() {
        assertThat(asPeer("GET", TOP, signed(TOKEN, "10.0.0.6:8480", TOP, 0)))
                .map(ApiGuard.Refusal::status)
                .contains(401);
    }

    @Test
    void refusal_signatureForAnotherQuestionOrOfAnotherToken_isRefused() {
        assertThat(asPeer("GET", TOP, signed(TOKEN, OWN, "/api/v1/local/top?limit=6", 0)))
                .isPresent();
        assertThat(asPeer("GET", TOP, signed("fedcba9876543210", OWN, TOP, 0)))
                .map(ApiGuard.Refusal::message)
                .hasValueSatisfying(message -> assertThat(message).contains("http.token-file"));
    }

    @ParameterizedTest
    @ValueSource(longs = {3600, -3600})
    void refusal_signatureOfAnotherTime_isRefusedAndNamesTheClocks(long secondsAgo) {
        assertThat(asPeer("GET", TOP, signed(TOKEN, OWN, TOP, secondsAgo)))
                .map(ApiGuard.Refusal::message)
                .hasValueSatisfying(message -> assertThat(message).contains("clocks"));
    }

    @Test
    void refusal_signatureForAnythingButReadingWhatIsLocal_isRefused() {
        String status = "/api/v1/status";
        assertThat(asPeer("GET", status, signed(TOKEN, OWN, status, 0))).isPresent();
        assertThat(asPeer("POST", TOP, signed(TOKEN, OWN, TOP, 0))).isPresent();
        assertThat(asPeer("GET", TOP, "Sluice-Peer 1 sha256=0")).isPresent();
    }

    @Test
    void session_admitsReading_andWritingFromItsOwnPageOnly() {
        String cookie = cookie(Session.start(TOKEN.getBytes(StandardCharsets.UTF_8), now(), false));

        assertThat(writing.refusal("GET", headers("Host", "localhost:8480", "Cookie", cookie), "/api/v1/locks"))
                .isEmpty();
        assertThat(writing.refusal(
                        "DELETE",
                        headers("Host", "localhost:8480", "Cookie", cookie, "Origin", "http://localhost:8480"),
                        "/api/v1/locks/p/x"))
                .isEmpty();
        for (String origin : List.of("http://localhost:9999", "http://127.0.0.1:8480", "null")) {
            assertThat(writing.refusal(
                            "DELETE",
                            headers("Host", "localhost:8480", "Cookie", cookie, "Origin", origin),
                            "/api/v1/locks/p/x"))
                    .as(origin)
                    .map(ApiGuard.Refusal::status)
                    .contains(403);
        }
        assertThat(writing.refusal("DELETE", headers("Host", "localhost:8480", "Cookie", cookie), "/api/v1/locks/p/x"))
                .map(ApiGuard.Refusal::status)
                .contains(403);
    }

    @Test
    void session_endedOrForged_isRefused() {
        byte[] other = "another-token-16".getBytes(StandardCharsets.UTF_8);
        byte[] token = TOKEN.getBytes(StandardCharsets.UTF_8);
        for (String cookie : List.of(
                cookie(Session.start(other, now(), false)),
                cookie(Session.start(token, now() - Session.SECONDS, false)),
                cookie(Session.end(false)),
                cookie(Session.start(token, now(), false)).replaceFirst("=[0-9]", "=9"),
                "sluice-session=" + TOKEN)) {
            assertThat(guarded.refusal("GET", headers("Host", "localhost", "Cookie", cookie), "/api/v1/locks"))
                    .as(cookie)
                    .map(ApiGuard.Refusal::status)
                    .contains(401);
        }
    }

    @Test
    void session_cookie_isHiddenFromScriptsAndOtherSites() {
        String plain = Session.start(TOKEN.getBytes(StandardCharsets.UTF_8), now(), false);

        assertThat(plain).contains("; HttpOnly", "; SameSite=Strict").doesNotContain("Secure", TOKEN);
        assertThat(Session.start(TOKEN.getBytes(StandardCharsets.UTF_8), now(), true))
                .endsWith("; Secure");
    }

    private static long now() {
        return System.currentTimeMillis() / 1000;
    }

    private static String cookie(String setCookie) {
        return setCookie.substring(0, setCookie.indexOf(';'));
    }
}
