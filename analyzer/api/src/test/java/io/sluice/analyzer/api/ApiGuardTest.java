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

    private final ApiGuard open = guard(LOOPBACK, null);
    private final ApiGuard guarded = guard(LOOPBACK, TOKEN);
    private final ApiGuard writing =
            guard(new HttpSettings("127.0.0.1", 8480, Path.of("token"), true, List.of("ops.example")), TOKEN);

    private static ApiGuard guard(HttpSettings where, String token) {
        return guard(where, token, "");
    }

    private static ApiGuard guard(HttpSettings where, String token, String own) {
        return Guards.of(where, token, Users.of(token), own);
    }

    private static Optional<ApiGuard.Refusal> refusal(
            ApiGuard guard, String method, HttpFields headers, String target) {
        return Guards.refusal(guard, method, headers, target);
    }

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
        assertThat(refusal(open, "GET", headers("Host", host), "/api/v1/status"))
                .isEmpty();
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
        assertThat(refusal(open, "GET", headers("Host", host), "/api/v1/status"))
                .map(ApiGuard.Refusal::status)
                .contains(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[fd00::5]", "[fd00::5]:8480", "[FD00::5]:8480"})
    void allowedIpv6Address_isAnsweredInBrackets(String host) {
        ApiGuard ipv6 = guard(new HttpSettings("127.0.0.1", 8480, null, List.of("[fd00::5]")), null);

        assertThat(refusal(ipv6, "GET", headers("Host", host), "/api/v1/status"))
                .isEmpty();
    }

    @Test
    void twoNames_areRefused() {
        assertThat(refusal(open, "GET", headers("Host", "localhost", "Host", "localhost"), "/api/v1/status"))
                .map(ApiGuard.Refusal::status)
                .contains(403);
    }

    @Test
    void noNameAtAllIsRefused() {
        assertThat(refusal(open, "GET", headers(), "/api/v1/status"))
                .map(ApiGuard.Refusal::status)
                .contains(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PATCH", "OPTIONS", "HEAD", "get", ""})
    void noOtherMethodIsAllowed(String method) {
        assertThat(refusal(
                        writing,
                        method,
                        headers("Host", "localhost", "Authorization", "Bearer " + TOKEN),
                        "/api/v1/status"))
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
        assertThat(refusal(
                        guarded, "GET", headers("Host", "localhost", "Authorization", authorization), "/api/v1/status"))
                .map(ApiGuard.Refusal::status)
                .contains(401);
    }

    @Test
    void theTokenLetsIn() {
        assertThat(refusal(
                        guarded,
                        "GET",
                        headers("Host", "localhost", "Authorization", "Bearer " + TOKEN),
                        "/api/v1/status"))
                .isEmpty();
        assertThat(refusal(guarded, "GET", headers("Host", "localhost"), "/api/v1/status"))
                .isPresent();
    }

    @Test
    void anyLoopbackAddressIsAnsweredWithoutAToken() {
        HttpSettings other = new HttpSettings("127.0.0.2", 8480, null, List.of());

        assertThat(refusal(guard(other, null), "GET", headers("Host", "127.0.0.2:8480"), "/api/v1/status"))
                .isEmpty();
    }

    @Test
    void offLoopbackNobodyIsAnsweredWithoutAToken() {
        HttpSettings everywhere = new HttpSettings("0.0.0.0", 8480, null, List.of("ops.example"));

        assertThat(refusal(guard(everywhere, null), "GET", headers("Host", "ops.example"), "/api/v1/status"))
                .map(ApiGuard.Refusal::message)
                .contains("not served off loopback without a token; http.token-file names one");
        assertThat(refusal(
                        guard(everywhere, TOKEN),
                        "GET",
                        headers("Host", "ops.example", "Authorization", "Bearer " + TOKEN),
                        "/api/v1/status"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost", "http://localhost:8480", "https://ops.example", "http://[::1]:8480"})
    void aPageOfOurOwnMayAsk(String origin) {
        assertThat(refusal(open, "GET", headers("Host", "localhost", "Origin", origin), "/api/v1/status"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "null", "", "http://localhost.evil.example", "file://localhost"})
    void aPageOfSomebodyElseMayNot(String origin) {
        HttpFields headers = headers("Host", "localhost", "Authorization", "Bearer " + TOKEN, "Origin", origin);

        assertThat(refusal(writing, "POST", headers, "/api/v1/status"))
                .contains(new ApiGuard.Refusal(
                        403, "a page of this Origin may not ask; http.allowed-hosts names those that may"));
        assertThat(refusal(writing, "GET", headers, "/api/v1/status")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE"})
    void nothingIsChangedUntilItIsAllowed(String method) {
        HttpFields headers = headers("Host", "localhost", "Authorization", "Bearer " + TOKEN);

        assertThat(refusal(guarded, method, headers, "/api/v1/status")
                        .orElseThrow()
                        .status())
                .isEqualTo(403);
        assertThat(refusal(guarded, method, headers, "/api/v1/status")
                        .orElseThrow()
                        .message())
                .contains("http.writes: true", "http.token-file", "./sluice locks add");
        assertThat(refusal(writing, method, headers, "/api/v1/status")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE"})
    void nothingIsChangedWithoutTheToken(String method) {
        assertThat(refusal(writing, method, headers("Host", "localhost"), "/api/v1/status"))
                .map(ApiGuard.Refusal::status)
                .contains(401);
        assertThat(refusal(
                        guard(new HttpSettings("127.0.0.1", 8480, null, true, List.of()), null),
                        method,
                        headers("Host", "localhost"),
                        "/api/v1/status"))
                .map(ApiGuard.Refusal::status)
                .contains(403);
    }

    private static final String OWN = "10.0.0.5:8480";
    private static final String TOP = "/api/v1/local/top?limit=5";

    private Optional<ApiGuard.Refusal> asPeer(String method, String target, String authorization) {
        return refusal(
                guard(LOOPBACK, TOKEN, OWN), method, headers("Host", OWN, "Authorization", authorization), target);
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
}
