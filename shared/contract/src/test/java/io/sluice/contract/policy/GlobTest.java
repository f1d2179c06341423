package io.sluice.contract.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.policy.Pattern.Glob;
import io.sluice.testing.Seeds;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

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

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Seeds.of(1, 3));
    }

    @Tag(Seeds.TAG)
    @ParameterizedTest
    @MethodSource("seeds")
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

    @Tag(Seeds.TAG)
    @Test
    void theWorstGlobOnTheWorstValueTakesLinearTime() {
        // 50 KiB 2,000 times take under a second when linear, and 60 times as long when the product of both lengths
        int times = Seeds.of(700, 2000);
        String glob = "*" + "a".repeat(60) + "b*" + "a".repeat(60) + "c*";
        String value = "a".repeat(50 * 1024);
        Glob compiled = new Glob(glob);

        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long begun = threads.getCurrentThreadCpuTime();
        boolean any = false;
        for (int i = 0; i < times; i++) {
            any |= compiled.matches(value);
        }
        long spent = threads.getCurrentThreadCpuTime() - begun;

        assertThat(any).isFalse();
        assertThat(Duration.ofNanos(spent)).as("CPU time").isLessThan(Duration.ofMillis(5L * times));
    }
}
