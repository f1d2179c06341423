package io.sluice.analyzer.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.settings.HttpSettings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiGuardTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final HttpSettings LOOPBACK = new HttpSettings("127.0.0.1", 8480, null, List.of("ops.example"));

    private final ApiGuard open = new ApiGuard(LOOPBACK, null);
    private final ApiGuard guarded = new ApiGuard(LOOPBACK, TOKEN);

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:8480", "127.0.0.1:8480", "[::1]:8480", "[::1]", "ops.example:1"})
    void ourOwnNamesAreAnswered(String host) {
        assertThat(open.refusal("GET", host, null)).isEmpty();
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
                "1:2:3"
            })
    void aNameThatIsNotOursIsRefusedThoughItLeadsHere(String host) {
        assertThat(open.refusal("GET", host, null))
                .map(ApiGuard.Refusal::status)
                .contains(403);
    }

    @Test
    void noNameAtAllIsRefused() {
        assertThat(open.refusal("GET", null, null))
                .map(ApiGuard.Refusal::status)
                .contains(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "HEAD"})
    void nothingButAskingIsAllowed(String method) {
        assertThat(open.refusal(method, "localhost", null))
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
        assertThat(guarded.refusal("GET", "localhost", authorization))
                .map(ApiGuard.Refusal::status)
                .contains(401);
    }

    @Test
    void theTokenLetsIn() {
        assertThat(guarded.refusal("GET", "localhost", "Bearer " + TOKEN)).isEmpty();
        assertThat(guarded.refusal("GET", "localhost", null)).isPresent();
    }

    @Test
    void offLoopbackNobodyIsAnsweredWithoutAToken() {
        HttpSettings everywhere = new HttpSettings("0.0.0.0", 8480, null, List.of("ops.example"));

        assertThat(new ApiGuard(everywhere, null).refusal("GET", "ops.example", null))
                .map(ApiGuard.Refusal::message)
                .contains("not served off loopback without a token; http.token-file names one");
        assertThat(new ApiGuard(everywhere, TOKEN).refusal("GET", "ops.example", "Bearer " + TOKEN))
                .isEmpty();
    }
}
