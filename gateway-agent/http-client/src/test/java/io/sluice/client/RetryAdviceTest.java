package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RetryAdviceTest {
    private static final Instant NOW = Instant.parse("1994-11-06T08:49:37Z");
    private static final long SECOND = 1_000_000_000;

    private static RetryAdvice advice(int status, String... fields) {
        Map<String, List<String>> headers = new TreeMap<>();
        for (int i = 0; i < fields.length; i += 2) {
            headers.computeIfAbsent(fields[i], key -> new ArrayList<>()).add(fields[i + 1]);
        }
        return RetryAdvice.of(status, HttpHeaders.of(headers, (name, value) -> true), NOW);
    }

    private static RetryAdvice told(long seconds) {
        return new RetryAdvice(seconds * SECOND, true);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "120,120", "99999999999999999999,31622400"})
    void retryAfterInSeconds(String value, long seconds) {
        assertThat(advice(429, "Retry-After", value)).isEqualTo(told(seconds));
        assertThat(advice(503, "Retry-After", value)).isEqualTo(told(seconds));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Sun, 06 Nov 1994 08:50:00 GMT", "Sunday, 06-Nov-94 08:50:00 GMT", "Sun Nov  6 08:50:00 1994"})
    void retryAfterAsADateInAnyOfItsThreeForms(String date) {
        assertThat(advice(429, "Retry-After", date)).isEqualTo(told(23));
    }

    @Test
    void aDateIsMeasuredByTheServersClockWhereItTellsIt() {
        RetryAdvice advice =
                advice(429, "Retry-After", "Mon, 01 Jan 2029 00:00:30 GMT", "Date", "Mon, 01 Jan 2029 00:00:00 GMT");
        assertThat(advice).isEqualTo(told(30));
    }

    @Test
    void aDateThatIsOverMeansNow() {
        assertThat(advice(429, "Retry-After", "Sun, 06 Nov 1994 08:49:36 GMT")).isEqualTo(told(0));
    }

    @Test
    void aYearOfTwoDigitsIsAtMostFiftyYearsAhead() {
        assertThat(HttpDate.parse("Sunday, 06-Nov-44 08:49:37 GMT", NOW))
                .contains(Instant.parse("2044-11-06T08:49:37Z"));
        assertThat(HttpDate.parse("Monday, 06-Nov-45 08:49:37 GMT", NOW)).isEmpty();
        assertThat(HttpDate.parse("Tuesday, 06-Nov-45 08:49:37 GMT", NOW))
                .contains(Instant.parse("1945-11-06T08:49:37Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.5", "soon", "1 s", "Sun, 06 Nov 1994 08:50:00 CET", "\u0661"})
    void whatCantBeReadSaysNothing(String value) {
        assertThat(advice(429, "Retry-After", value)).isEqualTo(new RetryAdvice(0, false));
    }

    @Test
    void ofSeveralTheLongestCounts() {
        assertThat(advice(429, "Retry-After", "3", "Retry-After", "7", "Retry-After", "x"))
                .isEqualTo(told(7));
    }

    @Test
    void onOtherResponsesRetryAfterMeansOtherThings() {
        assertThat(advice(301, "Retry-After", "3")).isEqualTo(new RetryAdvice(0, false));
    }

    @Test
    void retryAfterGoesBeforeRateLimit() {
        assertThat(advice(429, "Retry-After", "3", "RateLimit", "\"a\";r=0;t=50"))
                .isEqualTo(told(3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"a\";r=0;t=30|30",
                "\"a\";r=1;t=30|0",
                "\"a\";t=30|0",
                "\"a\";r=0|10",
                "\"b\";r=0|0",
                "\"a\";r=5;t=9, \"b\";r=0;t=4|4",
                "\"b\";r=0;t=4, \"c\";r=0;t=6|6",
                "\"a\";r=0;t=30, |0",
                "a;r=0;t=30|0"
            })
    void aQuotaOfWhichNothingRemainsIsWaitedFor(String field, long seconds) {
        RetryAdvice advice = advice(200, "RateLimit", field, "RateLimit-Policy", "\"a\";q=5;w=10, \"c\";q=1;w=99");
        assertThat(advice).isEqualTo(new RetryAdvice(seconds * SECOND, false));
    }

    @Test
    void aFieldOfSeveralLinesIsOneList() {
        assertThat(advice(200, "RateLimit", "\"a\";r=3;t=9", "RateLimit", "\"b\";r=0;t=4"))
                .isEqualTo(new RetryAdvice(4 * SECOND, false));
    }
}
