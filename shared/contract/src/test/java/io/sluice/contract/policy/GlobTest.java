package io.sluice.contract.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.policy.Pattern.Glob;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GlobTest {

    @ParameterizedTest
    @CsvSource({
        "*, '', true",
        "*, anything, true",
        "**, '', true",
        "a*, a, true",
        "a*, b, false",
        "*a, a, true",
        "*a, ab, false",
        "a*a, a, false",
        "a*a, aa, true",
        "a*a, aba, true",
        "*b*, abc, true",
        "*b*, ac, false",
        "a*b*c, abc, true",
        "a*b*c, aXbYc, true",
        "a*b*c, acb, false",
        "ab*ba, aba, false",
        "*ab*ab*, ab, false",
        "*ab*ab*, abab, true",
        "*aab*, aaab, true",
        "a.c*, abc, false",
        "/orders/*, /orders/1/2, true",
        "(a+)+$*, (a+)+$, true"
    })
    void aStarStandsForAnyRun(String glob, String value, boolean matches) {
        assertThat(new Glob(glob).matches(value)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aGlobMatchesWhatTheSameRegularExpressionMatches(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 50_000; i++) {
            String glob = text(random, "ab*", 8) + "*" + text(random, "ab*", 8);
            String value = text(random, "ab", 14);
            boolean expected = value.matches(glob.replace("*", ".*"));

            assertThat(new Glob(glob).matches(value))
                    .as("%s on %s", glob, value)
                    .isEqualTo(expected);
        }
    }

    private static String text(Random random, String alphabet, int most) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(most); length > 0; length--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    @Test
    void theWorstGlobOnTheWorstValueTakesLinearTime() {
        // 2,000 times 50 KiB: under a second in all when linear; the product of both lengths would be 60 times as much
        String glob = "*" + "a".repeat(60) + "b*" + "a".repeat(60) + "c*";
        String value = "a".repeat(50 * 1024);
        Glob compiled = new Glob(glob);

        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long begun = threads.getCurrentThreadCpuTime();
        boolean any = false;
        for (int i = 0; i < 2000; i++) {
            any |= compiled.matches(value);
        }
        long spent = threads.getCurrentThreadCpuTime() - begun;

        assertThat(any).isFalse();
        assertThat(Duration.ofNanos(spent)).as("CPU time").isLessThan(Duration.ofSeconds(10));
    }
}
