package io.sluice.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.agent.http.HttpSignals.Field;
import io.sluice.agent.http.StructuredFields.Limit;
import io.sluice.agent.verdict.Quota;
import io.sluice.agent.verdict.Verdict;
import io.sluice.contract.json.JsonNodes;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpSignalsTest {
    private static final long MOST = 999_999_999_999_999L;
    private final HttpSignals exact = HttpSignals.standard().jitter(0);

    private static Verdict.Rejected limited(long millis) {
        return new Verdict.Rejected(
                Verdict.Reason.LIMITED, "plans", millis, new Quota("plans", 20, 2_000_000_000L, 0, 1));
    }

    private static String body(Verdict.Rejected rejected) {
        return new String(HttpSignals.body(rejected), StandardCharsets.UTF_8);
    }

    private static String value(HttpSignals signals, Verdict verdict, String name) {
        List<String> values = signals.fields(verdict).stream()
                .filter(field -> field.name().equals(name))
                .map(Field::value)
                .toList();
        assertThat(values).as(name).hasSize(1);
        return values.get(0);
    }

    private static long retryAfter(HttpSignals signals, Verdict verdict) {
        return Long.parseLong(value(signals, verdict, "Retry-After"));
    }

    @Test
    void anAllowedRequestWithoutALimitSaysNothing() {
        assertThat(exact.fields(Verdict.Allowed.FREELY)).isEmpty();
    }

    @Test
    void anAllowedRequestSaysWhatRemains() {
        assertThat(HttpSignals.standard().fields(new Verdict.Allowed(new Quota("plans", 20, 2_000_000_000L, 19, 1))))
                .containsExactly(
                        new Field("RateLimit-Policy", "\"plans\";q=20;w=2"),
                        new Field("RateLimit", "\"plans\";r=19;t=1"));
    }

    @Test
    void aRejectedRequestSaysAllOfIt() {
        assertThat(exact.fields(limited(1)))
                .containsExactly(
                        new Field("Retry-After", "1"),
                        new Field("Cache-Control", "no-store"),
                        new Field("RateLimit-Policy", "\"plans\";q=20;w=2"),
                        new Field("RateLimit", "\"plans\";r=0;t=1"));
    }

    @Test
    void aLimitOnRequestsInFlightHasAUnitAndNoTime() {
        Verdict allowed = new Verdict.Allowed(Quota.inFlight("pool", 64, 3));
        assertThat(StructuredFields.read(value(exact, allowed, "RateLimit-Policy")))
                .containsExactly(new Limit("pool", Map.of("q", 64L, "qu", "concurrent-requests")));
        assertThat(StructuredFields.read(value(exact, allowed, "RateLimit")))
                .containsExactly(new Limit("pool", Map.of("r", 3L)));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, 59, MOST - 1, MOST, MOST + 1, Long.MAX_VALUE})
    void whateverTheNumbersTheFieldsAreStructuredFields(long number) {
        Quota quota = new Quota("plans", number, number, number, number);
        Verdict rejected = new Verdict.Rejected(Verdict.Reason.LOCKED, "plans", number, quota);
        long told = Math.min(MOST, Math.max(0, number));
        long seconds = Math.min(
                MOST,
                Math.max(
                        1,
                        BigInteger.valueOf(number)
                                .add(BigInteger.valueOf(999_999_999))
                                .divide(BigInteger.valueOf(1_000_000_000))
                                .longValueExact()));
        assertThat(StructuredFields.read(value(exact, rejected, "RateLimit-Policy")))
                .containsExactly(new Limit("plans", Map.of("q", told, "w", seconds)));
        assertThat(StructuredFields.read(value(exact, rejected, "RateLimit")))
                .containsExactly(new Limit("plans", Map.of("r", told, "t", told)));
        assertThat(retryAfter(exact, rejected)).isBetween(Math.max(1, told), MOST);
    }

    @ParameterizedTest
    @CsvSource({"0,1", "1,1", "999,1", "1000,1", "1001,2", "60000,60"})
    void retryAfterIsWholeSecondsRoundedUp(long millis, long seconds) {
        assertThat(retryAfter(exact, limited(millis))).isEqualTo(seconds);
    }

    @ParameterizedTest
    @CsvSource({"1000,1,1", "1000,2,2", "2001,2,3"})
    void retryAfterIsNeverBeforeTheReset(long millis, long reset, long told) {
        Verdict rejected =
                new Verdict.Rejected(Verdict.Reason.LIMITED, "p", millis, new Quota("p", 1, 9_000_000_000L, 0, reset));
        assertThat(retryAfter(exact, rejected)).isEqualTo(told);
    }

    @ParameterizedTest
    @CsvSource({"1,0.25,1", "3,0.25,1", "4,0.25,1", "5,0.25,2", "100,0.25,25", "240,0.25,60", "3600,0.25,60", "10,1,10"
    })
    void jitterSpreadsOverItsWholeShareAndNoFurther(long seconds, double share, int spread) {
        HttpSignals signals = HttpSignals.standard().jitter(share);
        BitSet added = new BitSet();
        for (int i = 0; i < 3000; i++) {
            added.set((int) (retryAfter(signals, limited(seconds * 1000)) - seconds));
        }
        assertThat(added.cardinality()).isEqualTo(spread + 1);
        assertThat(added.length()).isEqualTo(spread + 1);
    }

    @Test
    void theStandardHasAQuarterOfJitter() {
        BitSet told = new BitSet();
        for (int i = 0; i < 1000; i++) {
            told.set((int) retryAfter(HttpSignals.standard(), limited(20_000)));
        }
        assertThat(told.stream()).containsExactly(20, 21, 22, 23, 24, 25);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.01, 1.01, Double.NaN})
    void jitterIsAShare(double share) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpSignals.standard().jitter(share))
                .withMessage("jitter must be from 0 to 1, found " + share);
    }

    @Test
    void theLegacyFieldsComeWhenAskedFor() {
        assertThat(exact.legacy(true).fields(new Verdict.Allowed(new Quota("plans", 20, 2_000_000_000L, 19, 1))))
                .contains(
                        new Field("X-RateLimit-Limit", "20"),
                        new Field("X-RateLimit-Remaining", "19"),
                        new Field("X-RateLimit-Reset", "1"));
        assertThat(exact.legacy(true).legacy(false).fields(limited(1)))
                .noneMatch(field -> field.name().startsWith("X-"));
    }

    @Test
    void anEmptyLimitIsAQuotaThatWasExceeded() {
        assertThat(body(limited(1)))
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                        + "\"title\":\"Quota exceeded\",\"status\":429,\"violated-policies\":[\"plans\"]}");
    }

    @Test
    void aLockIsAbnormalUsage() {
        Quota none = new Quota("noisy", 0, 60_000_000_000L, 0, 60);
        assertThat(body(new Verdict.Rejected(Verdict.Reason.LOCKED, "noisy", 1, none)))
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#abnormal-usage-detected\","
                        + "\"title\":\"Abnormal usage detected\",\"status\":429,\"violated-policies\":[\"noisy\"]}");
    }

    @Test
    void sheddingIsReducedCapacityAndStill429() {
        Quota none = new Quota("noisy", 0, 60_000_000_000L, 0, 60);
        assertThat(body(new Verdict.Rejected(Verdict.Reason.SHED, "noisy", 1, none)))
                .isEqualTo(
                        "{\"type\":\"https://iana.org/assignments/http-problem-types#temporary-reduced-capacity\","
                                + "\"title\":\"Temporarily reduced capacity\",\"status\":429,\"violated-policies\":[\"noisy\"]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"LOCKED", "LIMITED"})
    void whoWasNotFoundGuiltyOfAnythingIsNotAccused(Verdict.Reason reason) {
        assertThat(body(new Verdict.Rejected(reason, "noisy", 1, null))).contains("#temporary-reduced-capacity");
    }

    @Test
    void aNameThatIsNoPolicyNameIsNeverEchoed() throws Exception {
        Random random = new Random(3);
        String alphabet = "ab\"\\\r\n:;=,{}[]\u0000\u007f\u00e9\u2028\ud83d\ude00 <>/%";
        for (int i = 0; i < 2000; i++) {
            StringBuilder name = new StringBuilder("x\"\r\nSet-Cookie: a=b");
            for (int length = random.nextInt(10); length > 0; length--) {
                name.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            Verdict.Rejected hostile = new Verdict.Rejected(
                    Verdict.Reason.LOCKED, name.toString(), 1, new Quota(name.toString(), 0, 1_000_000_000L, 0, 1));
            for (Field field : exact.legacy(true).fields(hostile)) {
                assertThat(field.name() + field.value()).matches("[ -~]+").doesNotContain("Cookie");
            }
            assertThat(StructuredFields.read(value(exact, hostile, "RateLimit")))
                    .containsExactly(new Limit("policy", Map.of("r", 0L, "t", 1L)));
            JsonNodes.read(HttpSignals.body(hostile), "body");
            assertThat(body(hostile))
                    .contains("\"violated-policies\":[\"policy\"]")
                    .doesNotContain("Cookie");
        }
    }
}
