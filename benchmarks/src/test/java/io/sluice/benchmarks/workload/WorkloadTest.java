package io.sluice.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.analyzer.ingest.LogFormat;
import io.sluice.analyzer.ingest.LogFormats;
import io.sluice.contract.event.Outcome;
import io.sluice.contract.event.RequestEvent;
import io.sluice.settings.SourceSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadTest {
    private static final int DRAWN = 400_000;
    private static final long TIME = 1_763_699_999_123L;

    @ParameterizedTest
    @CsvSource({"100, 1.1", "100000, 1.1", "1000, 0.8", "1, 1.1"})
    void zipfGivesEachOfTheHeadItsShareAndTheTailTheRest(int callers, double s) {
        int[] drawn = draw(Callers.zipf(callers, s), callers);

        double all = 0;
        for (int n = 1; n <= callers; n++) {
            all += Math.pow(n, -s);
        }
        double headShare = 0;
        double headDrawn = 0;
        for (int n = 1; n <= Math.min(10, callers); n++) {
            double share = Math.pow(n, -s) / all;
            assertThat(drawn[n - 1] / (double) DRAWN).isCloseTo(share, within(0.004));
            headShare += share;
            headDrawn += drawn[n - 1] / (double) DRAWN;
        }
        assertThat(headDrawn).isCloseTo(headShare, within(0.005));
    }

    @Test
    void zipfReachesTheLastCaller() {
        assertThat(draw(Callers.zipf(100, 1.1), 100)).doesNotContain(0);
    }

    @Test
    void uniformCallersCallAlike() {
        int[] drawn = draw(Callers.uniform(50), 50);

        assertThat(Arrays.stream(drawn).max().orElseThrow() / (double) DRAWN).isCloseTo(0.02, within(0.002));
        assertThat(Arrays.stream(drawn).min().orElseThrow() / (double) DRAWN).isCloseTo(0.02, within(0.002));
    }

    @Test
    void theHotCallerHasItsShareAndTheOthersShareTheRest() {
        int[] drawn = draw(Callers.hot(0.95, Callers.uniform(10)), 11);

        assertThat(drawn[0] / (double) DRAWN).isCloseTo(0.95, within(0.002));
        for (int other = 1; other <= 10; other++) {
            assertThat(drawn[other] / (double) DRAWN).isCloseTo(0.005, within(0.001));
        }
    }

    private static int[] draw(Callers callers, int many) {
        SplittableRandom random = new SplittableRandom(7);
        int[] drawn = new int[many];
        for (int n = 0; n < DRAWN; n++) {
            drawn[callers.next(random)]++;
        }
        return drawn;
    }

    @Test
    void anEventIsAbout191Bytes() {
        SplittableRandom random = new SplittableRandom(1);
        EventText text = new EventText(random);
        long bytes = 0;
        for (int n = 0; n < 10_000; n++) {
            bytes += text.next(TIME, n, EventText.caller(n)).length;
        }

        assertThat(bytes / 10_000.0).isCloseTo(191, within(6.0));
    }

    @ParameterizedTest
    @CsvSource({"0, c0000000", "42, c0000042", "9999999, c9999999"})
    void anEventIsReadByOurOwnFormatWithNothingLeftOut(int number, String name) throws Exception {
        LogFormat format = LogFormats.of(new SourceSettings(
                "requests", "json", List.of(), null, null, Set.of(429), Map.of(), Map.of(), List.of()));

        RequestEvent event =
                format.read(new EventText(new SplittableRandom(3)).next(TIME, number, EventText.caller(number)));

        assertThat(event.time()).isEqualTo(TIME);
        assertThat(event.caller()).isEqualTo(name).isEqualTo(EventLog.caller(number));
        assertThat(event.service()).isIn("orders", "search", "basket", "users");
        assertThat(event.route()).startsWith("/");
        assertThat(event.method()).isIn("GET", "POST");
        assertThat(event.ip()).matches("10\\.\\d+\\.\\d+\\.\\d+");
        assertThat(event.status()).isIn(200, 404, 500);
        assertThat(event.bytes()).isBetween(200L, 200L + 0x1fff);
        assertThat(event.micros()).isBetween(1_000L, 65_000L);
        assertThat(event.outcome()).isEqualTo(Outcome.ALLOWED);
    }

    @Test
    void theSameSeedGivesTheSameBytes() {
        byte[] one = new EventText(new SplittableRandom(5)).next(TIME, 1, EventText.caller(1));
        byte[] same = new EventText(new SplittableRandom(5)).next(TIME, 1, EventText.caller(1));
        byte[] other = new EventText(new SplittableRandom(6)).next(TIME, 1, EventText.caller(1));

        assertThat(same).isEqualTo(one).isNotEqualTo(other);
    }
}
