package io.sluice.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Quota;
import io.sluice.agent.Verdict;
import io.sluice.agent.http.HttpSignals.Field;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HttpSignalsTest {
    private static Verdict.Rejected limited(long millis) {
        return new Verdict.Rejected(Verdict.Reason.LIMITED, "plans", millis, new Quota("plans", 20, 2, 0, 1));
    }

    private static String body(Verdict.Rejected rejected) {
        return new String(HttpSignals.body(rejected), StandardCharsets.UTF_8);
    }

    @Test
    void anAllowedRequestWithoutALimitSaysNothing() {
        assertThat(HttpSignals.fields(Verdict.Allowed.FREELY)).isEmpty();
    }

    @Test
    void anAllowedRequestSaysWhatRemains() {
        assertThat(HttpSignals.fields(new Verdict.Allowed(new Quota("plans", 20, 2, 19, 1))))
                .containsExactly(
                        new Field("RateLimit-Policy", "\"plans\";q=20;w=2"),
                        new Field("RateLimit", "\"plans\";r=19;t=1"));
    }

    @Test
    void aRejectedRequestSaysAllOfIt() {
        assertThat(HttpSignals.fields(limited(1)))
                .containsExactly(
                        new Field("Retry-After", "1"),
                        new Field("Cache-Control", "no-store"),
                        new Field("RateLimit-Policy", "\"plans\";q=20;w=2"),
                        new Field("RateLimit", "\"plans\";r=0;t=1"));
    }

    @ParameterizedTest
    @CsvSource({"0,1", "1,1", "999,1", "1000,1", "1001,2", "60000,60"})
    void retryAfterIsWholeSecondsRoundedUp(long millis, String seconds) {
        assertThat(HttpSignals.fields(limited(millis))).contains(new Field("Retry-After", seconds));
    }

    @Test
    void anEmptyLimitIsAQuotaThatWasExceeded() {
        assertThat(body(limited(1)))
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                        + "\"title\":\"Quota exceeded\",\"status\":429,\"violated-policies\":[\"plans\"]}");
    }

    @Test
    void aLockIsAbnormalUsage() {
        assertThat(body(new Verdict.Rejected(Verdict.Reason.LOCKED, "noisy", 1, null)))
                .contains("#abnormal-usage-detected", "[\"noisy\"]");
    }

    @Test
    void aNameThatIsNoPolicyNameIsNeverEchoed() {
        Verdict.Rejected hostile = new Verdict.Rejected(
                Verdict.Reason.LOCKED, "x\"\r\nSet-Cookie: a=b", 1, new Quota("x\"\r\nSet-Cookie: a=b", 0, 1, 0, 1));
        assertThat(body(hostile)).doesNotContain("Cookie");
        assertThat(HttpSignals.fields(hostile)).noneMatch(field -> field.value().contains("Cookie"));
    }
}
